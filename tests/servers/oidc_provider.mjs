/* A certified OpenID provider with two people, for tests: node oidc_provider.mjs PORT REDIRECT_URI */

import Provider from 'oidc-provider'

const [port, redirect] = process.argv.slice(2)
const people = {
  fay: { name: 'Fay Firm', email: 'fay@acme.example', email_verified: true, groups: ['finance'] },
  ned: { name: 'Ned None', email: 'ned@acme.example', email_verified: true, groups: [] },
}

const provider = new Provider(`http://localhost:${port}`, {
  clients: [{ client_id: 'graphwright', client_secret: 'hush', redirect_uris: [redirect] }],
  claims: { openid: ['sub'], profile: ['name', 'groups'], email: ['email', 'email_verified'] },
  cookies: { keys: ['for tests only'] },
  findAccount: (_context, sub) =>
    people[sub] && { accountId: sub, claims: () => ({ sub, ...people[sub] }) },
})
provider.on('server_error', (_context, error) => console.error(error))
provider.listen(Number(port), '127.0.0.1')

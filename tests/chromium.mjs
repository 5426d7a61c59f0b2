// Unpacks the Chromium inside the npm package `@sparticuz/chromium` into TMPDIR and prints its path.
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const frontend = createRequire(new URL("../frontend/package.json", import.meta.url));
const found = await import(pathToFileURL(frontend.resolve("@sparticuz/chromium")).href);
const chromium = found.default?.default ?? found.default;
process.stdout.write(await chromium.executablePath());

import type { Interrupt, InterruptRequest, JsonSchema } from '../../../api/types/types.ts';

/** What is asked, with the currencies of what is shown also where nobody may edit it. */
export function withCurrencies(item: Pick<Interrupt, 'request' | 'currencies'>): InterruptRequest {
  const money = Object.entries(item.currencies ?? {}).map(([name, unit]): [string, JsonSchema] => [
    name,
    { format: 'money', 'x-unit': unit },
  ]);
  if (money.length === 0) return item.request;
  const { edit_schema: schema } = item.request;
  const properties = { ...Object.fromEntries(money), ...schema?.properties };
  return { ...item.request, edit_schema: { ...schema, properties } };
}

import type { NodeDoc, NodeTypeInfo } from '../../../api/types/types.ts';
import type { Records } from '../../document/document.ts';
import { upstream } from '../../schema/names.ts';
import { addField } from '../fields.ts';
import { withGives } from './gives.ts';

const givesFields = (records: Records, node: NodeDoc) =>
  (node.write_keys ?? records.settings.defaults?.write_keys ?? []).length > 0;

/** Nodes before a node that could give fields and give none: their answers have no name by which it could be shown. */
export const namelessBefore = (
  records: Records,
  types: ReadonlyMap<string, NodeTypeInfo>,
  id: string,
): NodeDoc[] =>
  upstream(records, id).filter(
    (node) =>
      node.id !== id && types.get(node.type)?.writes_data === true && !givesFields(records, node),
  );

/** The document in which a node gives a field of this name; a fresh one is text. */
export const withAnswerNamed = (records: Records, id: string, name: string): Records =>
  withGives(records, id, (schema) =>
    addField(schema, name, {
      property: records.settings.state_schema?.properties?.[name] ?? { type: 'string' },
    }),
  );

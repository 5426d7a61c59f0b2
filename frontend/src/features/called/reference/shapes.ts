/** The served schema as people read it: operations by resource, and shapes as short lines. */

import type { ServedOperation, ServedSchema, Shape } from '../../../api/http/workspace/called.ts';

export interface Operation {
  id: string;
  method: string;
  path: string;
  resource: string;
  text: string;
  parameters: { name: string; in: string; required: boolean }[];
  body: Shape | null;
  answers: { status: string; shape: Shape | null }[];
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

/** All operations, by resource and path. */
export function operationsOf(schema: ServedSchema): Operation[] {
  return Object.entries(schema.paths)
    .flatMap(([path, methods]) =>
      METHODS.flatMap((method) => {
        const served = methods[method];
        return served ? [operationOf(path, method, served)] : [];
      }),
    )
    .sort((a, b) => a.resource.localeCompare(b.resource) || a.path.localeCompare(b.path));
}

function operationOf(path: string, method: string, served: ServedOperation): Operation {
  const answers = Object.entries(served.responses ?? {}).filter(([status]) => status < '400');
  return {
    id: served.operationId ?? `${method} ${path}`,
    method: method.toUpperCase(),
    path,
    resource: path.split('/')[2] ?? '',
    text: (served.description ?? '').replaceAll('`', ''),
    parameters: (served.parameters ?? []).map((each) => ({
      name: each.name,
      in: each.in,
      required: each.required ?? false,
    })),
    body: shapeIn(served.requestBody?.content),
    answers: answers.map(([status, answer]) => ({ status, shape: shapeIn(answer.content) })),
  };
}

function shapeIn(content: Record<string, { schema?: Shape }> | undefined): Shape | null {
  return content?.['application/json']?.schema ?? null;
}

/** The operations in which every word stands: in method, path, name or text. */
export function matching(operations: readonly Operation[], search: string): Operation[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return operations.filter((each) => {
    const text = `${each.method} ${each.path} ${each.id} ${each.text}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

const DEPTH = 4;

/** A shape in the way of TypeScript, as deep as one reads; deeper it is told by its name. */
export function written(shape: Shape | null, schema: ServedSchema, depth = 0): string {
  if (!shape) return 'nothing';
  const ref = typeof shape['$ref'] === 'string' ? shape['$ref'].split('/').pop() : undefined;
  if (ref) {
    const found = schema.components.schemas[ref];
    return found && depth < DEPTH ? written(found, schema, depth) : ref;
  }
  const either = listOf(shape['anyOf'] ?? shape['oneOf']);
  if (either) return either.map((each) => written(each, schema, depth)).join(' | ');
  const all = listOf(shape['allOf']);
  if (all?.length === 1) return written(all[0] ?? null, schema, depth);
  if (Array.isArray(shape['enum']))
    return shape['enum'].map((each) => JSON.stringify(each)).join(' | ');
  if ('const' in shape) return JSON.stringify(shape['const']);
  const types = Array.isArray(shape['type']) ? shape['type'] : [shape['type']];
  return types.map((type) => writtenType(String(type), shape, schema, depth)).join(' | ');
}

function writtenType(type: string, shape: Shape, schema: ServedSchema, depth: number): string {
  if (type === 'array') return `${bracketed(written(mapOf(shape['items']), schema, depth))}[]`;
  if (type !== 'object') return type === 'undefined' ? 'any JSON' : type;
  const fields = Object.entries(mapOf(shape['properties']) ?? {});
  if (fields.length === 0) return 'object';
  if (depth >= DEPTH) return '{ … }';
  const required = Array.isArray(shape['required']) ? shape['required'] : [];
  const indent = '  '.repeat(depth + 1);
  const lines = fields.map(([name, field]) => {
    const mark = required.includes(name) ? '' : '?';
    return `${indent}${name}${mark}: ${written(mapOf(field), schema, depth + 1)}`;
  });
  return `{\n${lines.join('\n')}\n${'  '.repeat(depth)}}`;
}

const bracketed = (text: string) =>
  text.includes(' | ') && !text.startsWith('{') ? `(${text})` : text;
const mapOf = (value: unknown): Shape | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Shape) : null;
const listOf = (value: unknown): (Shape | null)[] | null =>
  Array.isArray(value) ? value.map(mapOf) : null;

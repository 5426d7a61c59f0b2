import type { NodeTypeInfo } from '../src/api/types/types.ts';
import { steering } from './nodeTypes/steering.ts';
import { working } from './nodeTypes/working.ts';

/** Node types as a server would describe them. */
export const nodeTypes: NodeTypeInfo[] = [...working, ...steering];

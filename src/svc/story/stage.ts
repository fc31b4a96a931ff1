import type { Client } from '../../client/client.ts'
import { topic as colour } from '../terminal.ts'
import type { Inbox } from './inbox.ts'

/** Prints one step: its topic, then one line or several. */
export type PrintStep = (topic: string, ...lines: string[]) => void

export type Stage = { client: Client; inbox: Inbox; printStep: PrintStep }

export function formatStep(topic: string, lines: readonly string[]): string {
  return lines.map((line, at) => `${colour((at === 0 ? topic : '').padEnd(12))}${line}\n`).join('')
}

// Erasures, a line of JSON each: what a restored backup does not know is applied again from it.
import { constants } from 'node:fs'
import { open, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { z } from 'zod'
import type { KeepErasure } from '../domain/personal/erase.ts'

const line = z.strictObject({
  tenant_id: z.string(),
  borrower_id: z.string(),
  erased_at: z.iso.datetime(),
})

export type ErasedLine = z.output<typeof line>

/** Returns when the line is on the disk. Lines are short, so that processes that append to one file at once do
 * not mix them. */
export function keepErasureIn(path: string): KeepErasure {
  return async ({ tenantId, borrowerId, at }) => {
    const row = { tenant_id: tenantId, borrower_id: borrowerId, erased_at: at.toISOString() }
    // A leading end of line: what a full disk has cut off before does not swallow it.
    await appendDurably(path, `\n${JSON.stringify(row satisfies ErasedLine)}\n`)
  }
}

async function appendDurably(path: string, text: string): Promise<void> {
  const { O_APPEND, O_CREAT, O_WRONLY } = constants
  const file = await open(path, O_APPEND | O_CREAT | O_WRONLY, 0o600)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
  const folder = await open(dirname(path), constants.O_RDONLY)
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

/** Each borrower once, and the lines that are none, such as one that was cut off. */
export async function readErased(
  path: string,
): Promise<{ erased: ErasedLine[]; unreadable: string[] }> {
  const lines = (await readFile(path, 'utf8')).split('\n').filter((text) => text.trim() !== '')
  const read = lines.map((text) => ({ text, row: line.safeParse(parse(text)) }))
  const rows = read.flatMap(({ row }) => (row.success ? [row.data] : []))
  return {
    erased: [...new Map(rows.map((row) => [`${row.tenant_id}/${row.borrower_id}`, row])).values()],
    unreadable: read.flatMap(({ text, row }) => (row.success ? [] : [text])),
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

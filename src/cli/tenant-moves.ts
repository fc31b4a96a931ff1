import { type Command, InvalidArgumentError } from 'commander'
import type { Report } from '../command-line/text.ts'
import type { DatabaseConfig } from '../config/database-config.ts'
import { Refusal } from '../core/errors.ts'
import { CELL_NAME } from '../core/ids.ts'
import { inTransaction } from '../db/database.ts'
import { type Cell, openCell } from '../db/tenant-move/cell.ts'
import type { CellPair } from '../domain/cells/assert-movable.ts'
import {
  abandonMove,
  forgetTenant,
  type MoveStep,
  moveTenant,
} from '../domain/cells/move-tenant.ts'
import { recordOperatorAction } from '../domain/operators/actions.ts'
import { type ChangeOptions, defineChange, offerReason, runChange } from './command/change.ts'
import type { CliIo } from './command/cli-io.ts'
import { readId } from './command/options.ts'
import { locateDatabase, unusable } from './command/session.ts'

const MOVE =
  'Take a tenant from the cell of DATABASE_URL to that of TARGET_DATABASE_URL. Meanwhile the tenant reads, and what it would change is refused with 503 tenant_moving. A move that was cut off goes on by the same command, or is undone by --abandon. Both addresses lead to the servers themselves, as the owner of the tables; TARGET_ENCRYPTION_KEYS are the keys of the other cell. Prints the lines for the proxy.'

const FORGET =
  'Delete what a tenant that has moved away left in this cell. It can then come back. Its requests here get 401 from then on, no longer 503.'

/** Beyond the longest attempt of a delivery. */
const WAIT_MS = 20_000

type MoveCommand = ChangeOptions & { to: string; abandon?: true }

export function addTenantMoves(group: Command, io: CliIo): void {
  const examples = ['tenants move ten_… --to b', 'tenants move ten_… --to b --abandon']
  offerReason(defineChange(group, 'move', MOVE, examples))
    .argument('<tenant>', 'the tenant, ten_…', readId('ten'))
    .requiredOption('--to <cell>', 'the name of the other cell', readCell)
    .option('--abandon', 'undo a move that was cut off')
    .action(async (tenantId: string, options: MoveCommand) => {
      const config = io.loadConfig()
      const { to, abandon } = options
      await runChange(io, options, async ({ changeInSteps }) => {
        await using cells = await openCells(config)
        const action = abandon ? 'tenants.abandon_move' : 'tenants.move'
        const subject = { subject: { kind: 'tenant', id: tenantId }, tenantId }
        return await changeInSteps({ action, ...subject, after: { to } }, () =>
          abandon ? undo(cells, tenantId, to) : move(io, cells, { tenantId, to, config }),
        )
      })
    })
  offerReason(defineChange(group, 'forget', FORGET, ['tenants forget ten_…']))
    .argument('<tenant>', 'the tenant, ten_…', readId('ten'))
    .action(async (tenantId: string, options: ChangeOptions) => {
      const databaseUrl = locateDatabase(io.loadConfig())
      await runChange(io, options, async ({ changeInSteps }) => {
        await using cell = await openCell(databaseUrl)
        const subject = { subject: { kind: 'tenant', id: tenantId }, tenantId }
        await changeInSteps({ action: 'tenants.forget', ...subject }, () =>
          forgetTenant(cell, tenantId),
        )
        return { data: { id: tenantId }, text: `What ${tenantId} left here is deleted.` }
      })
    })
}

async function openCells(config: DatabaseConfig): Promise<CellPair & AsyncDisposable> {
  const targetUrl = requireTarget(config.target.databaseUrl, 'TARGET_DATABASE_URL')
  const opened = new AsyncDisposableStack()
  const open = async (databaseUrl: string): Promise<Cell> => {
    const cell = await openCell(databaseUrl).catch((error: unknown) => {
      throw unusable(databaseUrl, error)
    })
    return opened.use(cell)
  }
  try {
    const source = await open(locateDatabase(config))
    const target = await open(targetUrl)
    return { source, target, [Symbol.asyncDispose]: () => opened.disposeAsync() }
  } catch (error) {
    await opened.disposeAsync()
    throw error
  }
}

type Moving = { tenantId: string; to: string; config: DatabaseConfig }

async function move(io: CliIo, cells: CellPair, { tenantId, to, config }: Moving): Promise<Report> {
  const startedAt = performance.now()
  const onStep = (step: MoveStep) => {
    const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1)
    if (io.showsProgress) io.writeError(`${seconds} s: ${STEPS[step]}\n`)
  }
  const targetKeys = requireTarget(config.target.encryptionKeys, 'TARGET_ENCRYPTION_KEYS')
  const given = { tenantId, to, targetKeys, now: io.clock(), waitMs: WAIT_MS, onStep }
  const keyIds = await moveTenant(cells, given)
  const actor = { kind: 'system', user: io.systemUser() } as const
  await inTransaction(cells.target.db, (tx) =>
    recordOperatorAction(
      tx,
      { actor, now: io.clock() },
      {
        action: 'tenants.move',
        subject: { kind: 'tenant', id: tenantId },
        tenantId,
        after: { to },
      },
    ),
  )
  // Keys that were made in the cell lead there without the map.
  const lines = keyIds.map((id) =>
    id.startsWith(`key_${to}_`)
      ? { map: undefined, command: `del map moved-keys.map ${id}` }
      : { map: `${id} cell_${to}`, command: `add map moved-keys.map ${id} cell_${to}` },
  )
  const maps = lines.flatMap(({ map = [] }) => map)
  const commands = lines.map(({ command }) => command)
  const text = [
    `${tenantId} is served by the cell ${to}. Send its keys there (docs/cells.md):`,
    '\nin moved-keys.map, for good:',
    ...maps,
    "\nto the proxy's socket, at once:",
    ...commands,
  ]
  return { data: { id: tenantId, cell: to, map_lines: maps, commands }, text: text.join('\n') }
}

const STEPS: Record<MoveStep, string> = {
  leaving: 'changes are refused; work that runs may end',
  held: 'nothing writes any more; copying',
  copied: 'copied; comparing',
  compared: 'every row is the same',
  gone: 'left',
  arrived: 'arrived',
}

async function undo(cells: CellPair, tenantId: string, to: string): Promise<Report> {
  await abandonMove(cells, { tenantId, to })
  return { data: { id: tenantId, cell: null }, text: `${tenantId} stays, and may write again.` }
}

function requireTarget<T>(value: T | undefined, name: string): T {
  if (value !== undefined) return value
  throw new Refusal('validation_failed', `${name} is not set: it is that of the other cell.`)
}

function readCell(text: string): string {
  if (CELL_NAME.test(text)) return text
  throw new InvalidArgumentError('Expected the name of a cell: one to eight small letters, digits.')
}

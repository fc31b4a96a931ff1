import type { Command } from 'commander'
import { formatUsd } from '../../../core/money.ts'
import {
  getDeskCall,
  type OwingCall,
  readDeskCalls,
  type SaleOrder,
} from '../../../domain/margin/desk/desk-calls.ts'
import { deskCallToJson } from '../../../domain/margin/desk/desk-json.ts'
import type { CliIo } from '../../command/cli-io.ts'
import {
  type CommonOptions,
  defineCommand,
  printReport,
  type TenantOptions,
} from '../../command/define-command.ts'
import { reportNamed } from '../../command/named.ts'
import { readId, readOrdinal, readWholeNumber, requireTenant } from '../../command/options.ts'
import { formatFields, formatRows, showTime } from '../../command/output.ts'
import { MOST_LISTED, readDesk } from './read-desk.ts'
import { showPositions } from './show-positions.ts'

type ListOptions = CommonOptions & { tenant?: string; ended?: true; limit: number }

export function addDeskCalls(group: Command, io: CliIo): void {
  addList(group, io)
  addOne(group, io)
}

function addList(group: Command, io: CliIo): void {
  defineCommand(
    group,
    'calls',
    'List the margin calls of all tenants that run, newest first, with their orders and fills.',
    ['margin calls', 'margin calls --ended --tenant ten_… --json'],
  )
    .option('--tenant <id>', 'of one tenant, ten_…', readId('ten'))
    .option('--ended', 'those that have ended instead')
    .option('--limit <number>', 'at most so many', readWholeNumber(1, MOST_LISTED), 100)
    .action(async (options: ListOptions) => {
      const filter = { tenantId: options.tenant, isRunning: options.ended !== true }
      const report = await readDesk(io, async (reading) => {
        const calls = await readDeskCalls(reading, filter, options.limit)
        return await reportNamed(reading.db, calls.map(deskCallToJson), {
          columns: ['tenant', 'facility', 'number', 'status', 'began', 'ended', 'orders', 'sold'],
          rows: calls.map((call) => [
            ...[call.tenantId, call.facilityId, String(call.number)],
            ...[call.outcome ?? call.status.toLowerCase(), showTime(call.createdAt)],
            ...[showTime(call.completedAt), String(call.orders.length), showPositions(call.sold)],
          ]),
          empty: options.ended ? 'No margin call has ended.' : 'No margin call is running.',
        })
      })
      printReport(io, options, report)
    })
}

function addOne(group: Command, io: CliIo): void {
  const command = defineCommand(group, 'call', 'Show a margin call with its orders and fills.', [
    'margin call fac_… 1 --tenant ten_…',
  ])
    .argument('<facility>', 'the facility, fac_…', readId('fac'))
    .argument('<number>', 'the number of the call', readOrdinal)
  requireTenant(command).action(
    async (facilityId: string, number: number, options: TenantOptions) => {
      const call = await readDesk(io, (reading) =>
        getDeskCall(reading, options.tenant, facilityId, number),
      )
      const text = [formatFields(toFields(call)), formatOrders(call.orders)]
      printReport(io, options, {
        data: deskCallToJson(call),
        text: text.filter((part) => part !== '').join('\n\n'),
      })
    },
  )
}

function toFields(call: OwingCall): Record<string, string> {
  return {
    Call: `${call.number} of ${call.facilityId}, ${call.status.toLowerCase()}`,
    Warning: String(call.marginWarningNumber),
    Outcome: call.outcome ?? '-',
    Planned: showPositions(call.planned),
    Sold: showPositions(call.sold),
    Costs: `${formatUsd(call.costsCents)} USD`,
    Paid: `interest ${formatUsd(call.interestCents)} USD, principal ${formatUsd(call.principalCents)} USD`,
    'Left to the borrower': `${formatUsd(call.surplusCents)} USD`,
    Deficit: `${formatUsd(call.deficitCents)} USD`,
    'Still owed': `${formatUsd(call.debtCents)} USD`,
    Began: showTime(call.createdAt),
    Ended: showTime(call.completedAt),
  }
}

function formatOrders(orders: readonly SaleOrder[]): string {
  if (orders.length === 0) return ''
  return formatRows(
    ['order', 'status', 'ordered', 'at', 'filled', 'proceeds usd', 'costs usd', 'at'],
    orders.map(({ asset, fill, ...order }) => [
      ...[String(order.number), order.status.toLowerCase()],
      ...[showPositions([{ asset, units: order.units }]), showTime(order.orderedAt)],
      fill ? showPositions([{ asset, units: fill.units }]) : '-',
      ...(fill ? [formatUsd(fill.proceedsCents), formatUsd(fill.costsCents)] : ['-', '-']),
      showTime(fill?.at),
    ]),
  )
}

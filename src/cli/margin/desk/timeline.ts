import type { Command } from 'commander'
import { FaultReported } from '../../../command-line/program.ts'
import { formatUsd } from '../../../core/money.ts'
import { type DeskFacility, getDeskFacility } from '../../../domain/margin/desk/desk-facility.ts'
import {
  deskFacilityToJson,
  explanationToJson,
  timelineEntryToJson,
} from '../../../domain/margin/desk/desk-json.ts'
import { readTimelineEntries, type TimelineEntry } from '../../../domain/margin/desk/timeline.ts'
import type { CliIo } from '../../command/cli-io.ts'
import { defineCommand, printReport, type TenantOptions } from '../../command/define-command.ts'
import { readId, readWholeNumber, requireTenant } from '../../command/options.ts'
import { formatFields, formatRows, showTime } from '../../command/output.ts'
import { MOST_LISTED, readDesk } from './read-desk.ts'
import { showPositions } from './show-positions.ts'

type TimelineOptions = TenantOptions & { limit: number }

export function addTimeline(group: Command, io: CliIo): void {
  const command = defineCommand(
    group,
    'timeline',
    'Show a facility, and what happened to its margin, newest first: each decision in words and decided again, repayments, calls, orders, fills. Exits with 1 where a decision comes out otherwise.',
    ['margin timeline fac_… --tenant ten_…'],
  )
    .argument('<facility>', 'the facility, fac_…', readId('fac'))
    .option('--limit <number>', 'at most so many entries', readWholeNumber(1, MOST_LISTED), 100)
  requireTenant(command).action(async (facilityId: string, options: TimelineOptions) => {
    const of = { tenantId: options.tenant, facilityId }
    const { facility, entries } = await readDesk(io, async (reading) => ({
      facility: await getDeskFacility(reading, of),
      entries: await readTimelineEntries(reading.db, of, options.limit),
    }))
    const history =
      entries.length === 0
        ? 'Nothing has happened to its margin.'
        : formatRows(['at', 'what', 'summary'], entries.map(toRow))
    printReport(io, options, {
      data: { facility: deskFacilityToJson(facility), items: entries.map(toJson) },
      text: `${formatFields(toFields(facility))}\n\n${history}`,
    })
    if (entries.some(isWrong)) throw new FaultReported()
  })
}

function toFields(view: DeskFacility): Record<string, string> {
  const { facility, valuation, custodian } = view
  return {
    Facility: `${facility.id}, ${facility.state.toLowerCase()}, ${view.health.toLowerCase()}`,
    Debt: `${formatUsd(view.outstanding.totalCents)} USD, LTV ${view.ltv}`,
    Collateral: `${showPositions(valuation.positions)}, counts ${formatUsd(view.valueCents)} USD`,
    Custodian: custodian
      ? `${showPositions(custodian.positions)}, ${showTime(custodian.readAt)}`
      : '-',
    'Open warning': String(view.openWarning ?? '-'),
    'Running call': String(view.runningCall ?? '-'),
  }
}

function toRow(entry: TimelineEntry): string[] {
  const { at, source, summary } = entry
  const differs = isWrong(entry) ? ` RECOMPUTED: ${entry.decision.recomputed}` : ''
  return [showTime(at), source.replace('_', ' '), `${summary}${differs}`]
}

function toJson(entry: TimelineEntry) {
  const decision = 'decision' in entry ? explanationToJson(entry.decision) : null
  return { ...timelineEntryToJson(entry), decision }
}

function isWrong(entry: TimelineEntry): entry is TimelineEntry & { source: 'decision' } {
  return 'decision' in entry && !entry.decision.agrees
}

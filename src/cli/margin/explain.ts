import type { Command } from 'commander'
import { FaultReported } from '../../command-line/program.ts'
import type { Report } from '../../command-line/text.ts'
import { formatDecimal, formatQuantity, formatUsd } from '../../core/money.ts'
import { floorCents, formatLtv } from '../../core/ratio.ts'
import type { Db } from '../../db/database.ts'
import { formatPrice } from '../../domain/collateral/prices.ts'
import { totalDebtCents } from '../../domain/facilities/ledger/debt.ts'
import type { DecisionFacts } from '../../domain/margin/decisions/decision-record.ts'
import {
  listMarginDecisions,
  type MarginDecision,
} from '../../domain/margin/decisions/decisions.ts'
import {
  type ExplainedDecision,
  explainDecision,
} from '../../domain/margin/decisions/explain-decision.ts'
import type { CliIo } from '../command/cli-io.ts'
import { defineCommand, printReport, type TenantOptions } from '../command/define-command.ts'
import { requireTenant } from '../command/options.ts'
import { formatFields, formatRows } from '../command/output.ts'
import { withSession } from '../command/session.ts'

/** Decides every warning again from its records. */
export function addExplain(group: Command, io: CliIo): void {
  const command = defineCommand(
    group,
    'explain <facility> <number>',
    'Show the facts of each decision about a margin warning, and decide again from them.',
    ['margin explain fac_… 1 --tenant ten_…'],
  )
  requireTenant(command).action(
    async (facility: string, number: string, options: TenantOptions) => {
      const report = await withSession(io, ({ db }) =>
        explain(db, options.tenant, facility, number),
      )
      printReport(io, options, report)
      if (!report.agrees) throw new FaultReported()
    },
  )
}

async function explain(
  db: Db,
  tenantId: string,
  facilityId: string,
  numberText: string,
): Promise<Report & { agrees: boolean }> {
  const number = /^[1-9]\d{0,8}$/.test(numberText) ? Number(numberText) : 0
  const decisions = await listMarginDecisions(db, tenantId, facilityId, number)
  const explained = decisions.map(reportDecision)
  return {
    data: { facility_id: facilityId, number, decisions: explained.map(({ data }) => data) },
    text: explained.map(({ text }) => text).join('\n\n'),
    agrees: explained.every((decision) => decision.agrees),
  }
}

function reportDecision(decision: MarginDecision) {
  const { facts, ...explained } = explainDecision(decision)
  const fields = toFields(facts, explained)
  const positions = facts.positions.map(({ asset, units, haircutPpm, valueCents }) => [
    asset,
    formatQuantity({ asset, units }),
    haircutPpm === undefined ? '-' : formatDecimal(haircutPpm, 6),
    formatUsd(valueCents),
  ])
  const rounds = facts.rounds.flatMap((round, at) =>
    round.map(({ asset, price, at: acceptedAt, sources }) => [
      at === facts.rounds.length - 1 ? 'latest' : String(at + 1),
      asset,
      formatPrice(price),
      acceptedAt.toISOString(),
      sources.map(({ source, price: quoted }) => `${source} ${formatPrice(quoted)}`).join(', ') ||
        '-',
    ]),
  )
  return {
    agrees: explained.agrees,
    data: { number: decision.number, kind: decision.kind, ...fields, facts: decision.facts },
    text: [
      `Decision ${decision.number}: ${decision.kind} at ${decision.decidedAt.toISOString()}`,
      formatFields(fields),
      formatRows(['asset', 'quantity', 'haircut', 'value usd'], positions),
      formatRows(['round', 'asset', 'price usd', 'accepted at', 'sources'], rounds),
    ].join('\n\n'),
  }
}

function toFields(
  { ladder, policy }: DecisionFacts,
  { recorded, recomputed, agrees }: Pick<ExplainedDecision, 'recorded' | 'recomputed' | 'agrees'>,
): Record<string, string> {
  const debtCents = totalDebtCents(ladder.debt, ladder.now)
  const usd = (cents: bigint | undefined) => (cents === undefined ? '-' : formatUsd(cents))
  const ratioPpm = ladder.warning ? policy.cureLtvPpm : policy.floorLtvPpm
  const { values } = ladder
  return {
    trigger: ladder.trigger,
    debt_usd: formatUsd(debtCents),
    value_high_usd: usd(values?.highCents),
    value_low_usd: usd(values?.lowCents),
    value_latest_usd: usd(values?.latestCents),
    ltv_at_high: values ? formatLtv(debtCents, values.highCents) : '-',
    required_floor_usd: formatUsd(floorCents(debtCents, ratioPpm)),
    thresholds: policy.tiers
      .map(({ tier, aboveLtvPpm }) => `tier ${tier} > ${formatDecimal(aboveLtvPpm, 6)}`)
      .concat(`critical > ${formatDecimal(policy.criticalLtvPpm, 6)}`)
      .join(', '),
    overdue_after: ladder.warning?.windowDeadline.toISOString() ?? '-',
    policy: policy.version,
    recorded,
    recomputed: `${recomputed}${agrees ? '' : ' (DIFFERS)'}`,
  }
}

import type { Client } from '../client/client.ts'
import { collect } from './collect.ts'
import { formatFields, type Report, reportList } from './output.ts'

type Money = { amount: string; asset: string }

/** Requests a draw; it is paid out in the background. */
export async function drawMoney(
  client: Client,
  facilityId: string,
  { amount, asset, to }: Money & { to: string },
): Promise<Report> {
  const draw = await client.requestDraw(facilityId, { amount, asset, destination: to })
  const { failure, ...rest } = draw
  return { data: draw, text: formatFields({ ...rest, failure: failure?.code }) }
}

/** Announces a repayment and reports at once that its instructions were executed. */
export async function repay(
  client: Client,
  facilityId: string,
  { amount, asset, cures, reference }: Money & { cures?: number; reference?: string },
): Promise<Report> {
  const { id } = await client.createRepayment(facilityId, {
    amount,
    asset,
    ...(cures !== undefined && { margin_warning_number: cures }),
  })
  const reported = await client.reportExecution(facilityId, id, {
    status: 'completed',
    delivered: { amount, asset },
    reference: reference ?? `svc-${crypto.randomUUID()}`,
  })
  const fields = {
    id,
    status: reported.status,
    amount: `${reported.amount} ${reported.asset}`,
    reference: reported.reference,
    cures: reported.margin_warning_number,
    told: 'by repayment.applied, once the treasury has it',
  }
  return { data: reported, text: formatFields(fields) }
}

/** Collateral, warnings and calls of a facility. */
export async function readMargin(client: Client, facilityId: string): Promise<Report> {
  const [collateral, warnings, calls] = await Promise.all([
    client.getCollateral(facilityId),
    collect(client.listMarginWarnings(facilityId)),
    collect(client.listMarginCalls(facilityId)),
  ])
  const { positions, ...rest } = collateral
  const text = [
    formatFields(rest),
    reportList(
      positions,
      {
        asset: (it) => it.asset,
        quantity: (it) => it.quantity,
        price: (it) => it.price_usd,
        value: (it) => it.value_usd,
      },
      'There are no positions.',
    ).text,
    reportList(
      warnings,
      {
        warning: (it) => it.number,
        status: (it) => it.status,
        tier: (it) => it.tier,
        'cure by': (it) => it.cure_deadline,
        'cure usd': (it) => it.cure_amount_usd,
      },
      'No margin warnings.',
    ).text,
    reportList(
      calls,
      {
        call: (it) => it.number,
        status: (it) => it.status,
        outcome: (it) => it.outcome,
        costs: (it) => it.costs_usd,
      },
      'No margin calls.',
    ).text,
  ]
  return { data: { collateral, warnings, calls }, text: text.join('\n\n') }
}

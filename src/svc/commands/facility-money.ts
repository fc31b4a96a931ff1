import type { Client } from '../../client/client.ts'
import { ProblemError } from '../../client/problem-error.ts'
import type { Collateral } from '../../client/resources/resources.ts'
import type { Report } from '../../command-line/text.ts'
import { collect } from '../collect.ts'
import { formatFields, reportList } from '../output.ts'

type Money = { amount: string; asset: string }

export async function drawMoney(
  client: Client,
  facilityId: string,
  { amount, asset, to }: Money & { to: string },
): Promise<Report> {
  const draw = await client.requestDraw(facilityId, { amount, asset, destination: to })
  const { failure, returned, destination, ...rest } = draw
  return {
    data: draw,
    text: formatFields({
      ...{ ...rest, destination: destination ?? undefined },
      ...{ failure: failure?.code, returned: returned?.code },
    }),
  }
}

/** Requests a repayment and reports at once that its transfer was made. */
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
    next: 'repayment.applied, once the treasury confirms the transfer',
  }
  return { data: reported, text: formatFields(fields) }
}

export async function readMargin(client: Client, facilityId: string): Promise<Report> {
  const [collateral, warnings, calls] = await Promise.all([
    findCollateral(client, facilityId),
    collect(client.listMarginWarnings(facilityId)),
    collect(client.listMarginCalls(facilityId)),
  ])
  const text = [
    ...(collateral === undefined ? [] : formatCollateral(collateral)),
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
  return {
    data: { ...(collateral !== undefined && { collateral }), warnings, calls },
    text: text.join('\n\n'),
  }
}

/** Undefined before the facility is approved and after it is closed. */
async function findCollateral(client: Client, facilityId: string): Promise<Collateral | undefined> {
  try {
    return await client.getCollateral(facilityId)
  } catch (error) {
    if (error instanceof ProblemError && error.is('facility_not_approved')) return undefined
    throw error
  }
}

function formatCollateral({ positions, ...rest }: Collateral): string[] {
  const table = reportList(
    positions,
    {
      asset: (it) => it.asset,
      quantity: (it) => it.quantity,
      price: (it) => it.price_usd,
      value: (it) => it.value_usd,
    },
    'There are no positions.',
  )
  return [formatFields(rest), table.text]
}

import { z } from 'zod'
import { getFacility } from '../../domain/facilities/facilities.ts'
import { FURTHEST_PAYOFF_DAYS, readPayoff } from '../../domain/facilities/statements/payoff.ts'
import {
  LONGEST_DAILY_DAYS,
  LONGEST_PERIOD_DAYS,
  MAX_WHOLE_LINES,
  readStatement,
  readStatementPage,
} from '../../domain/facilities/statements/statement.ts'
import {
  toStatementCsv,
  toStatementPageBody,
} from '../../domain/facilities/statements/statement-document.ts'
import { callerOf } from '../authentication/authenticate.ts'
import { preferredType } from '../preferred-type.ts'
import { readAsOfNow } from '../read-as-of-now.ts'
import { readsWith } from '../route-config.ts'
import type { RouteContext } from '../route-context.ts'
import { cursorQuery, idInput, timestampInputLike } from '../schemas/fields.ts'
import type { TenantApp } from '../schemas/operation.ts'
import {
  payoffSchema,
  STATEMENT_CSV_EXAMPLE,
  statementSchema,
  toPayoffBody,
} from './statement-schemas.ts'

const FORMS = ['application/json', 'text/csv'] as const

const params = z.strictObject({ facility_id: idInput('fac') })

const instant = (example: string) => timestampInputLike(example).optional()

export function statementRoutes(app: TenantApp, context: RouteContext): void {
  statementRoute(app, context)
  payoffRoute(app, context)
}

function statementRoute(app: TenantApp, context: RouteContext): void {
  const { cursors } = context
  app.get('/facilities/:facility_id/statement', {
    id: 'getStatement',
    summary: "Read a facility's statement",
    description: `Every movement with its value date, interest, and the balance before and after, in pages. At most ${LONGEST_PERIOD_DAYS} days; with \`interest=day\` ${LONGEST_DAILY_DAYS}. With \`Accept: text/csv\` a table of the whole period, of at most ${MAX_WHOLE_LINES} lines.`,
    tag: 'Facilities',
    config: readsWith('facility:read'),
    params,
    querystring: z.strictObject({
      from: instant('2026-11-01T00:00:00Z').describe(
        'Movements after this instant; omit it for the day of the application, or as long before `to` as a period may be',
      ),
      to: instant('2026-12-01T00:00:00Z').describe('Movements until this instant; omit it for now'),
      interest: z
        .enum(['period', 'day'])
        .default('period')
        .describe('A line of interest before each movement, or also for each UTC day'),
      ...cursorQuery,
    }),
    response: { 200: statementSchema },
    csv: STATEMENT_CSV_EXAMPLE,
    errors: ['cursor_invalid'],
    async handler(request, reply) {
      const { facility_id: id } = request.params
      const { from, to, interest, cursor, limit } = request.query
      const terms = { interest, ...(from && { from }), ...(to && { to }) }
      const { tenantId } = callerOf(request)
      const isTable = preferredType(request.headers.accept, FORMS) === 'text/csv'
      const read = await readAsOfNow(context, tenantId, async (reading) => {
        const facility = await getFacility(reading.db, tenantId, id)
        if (isTable) return await toStatementCsv(await readStatement(reading, facility, terms))
        const page = await readStatementPage(
          reading,
          facility,
          { ...terms, cursor, limit },
          cursors,
        )
        return toStatementPageBody(page)
      })
      if (typeof read !== 'string') return read
      reply.type('text/csv; charset=utf-8')
      // Text is sent as it is: no schema serialises it.
      return read as unknown as z.input<typeof statementSchema>
    },
  })
}

function payoffRoute(app: TenantApp, context: RouteContext): void {
  app.get('/facilities/:facility_id/payoff', {
    id: 'getPayoff',
    summary: 'Read what closes a facility at an instant',
    description:
      'A repayment of `total` in USD that is reported at that instant leaves no debt, if nothing else moves until then. For a facility closed as `charged_off` it is what is left to recover.',
    tag: 'Facilities',
    config: readsWith('facility:read'),
    params,
    querystring: z.strictObject({
      at: instant('2026-12-20T12:00:00Z').describe(
        `Not in the past, at most ${FURTHEST_PAYOFF_DAYS} days ahead; omit it for now`,
      ),
    }),
    response: { 200: payoffSchema },
    async handler(request) {
      const { facility_id: id } = request.params
      const { at } = request.query
      const { tenantId } = callerOf(request)
      return await readAsOfNow(context, tenantId, async ({ db, now }) => {
        const facility = await getFacility(db, tenantId, id)
        return toPayoffBody(facility, readPayoff(facility, { at, now }))
      })
    },
  })
}

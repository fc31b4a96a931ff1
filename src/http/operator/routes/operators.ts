import { z } from 'zod'
import { listOperators } from '../../../domain/operators/operators.ts'
import { actsOf } from '../../../domain/operators/roles.ts'
import type { TypedApp } from '../../app-type.ts'
import { timestamp } from '../../schemas/fields.ts'
import { operatorOf } from '../authenticate-operator.ts'
import { operatorOperation } from '../operation.ts'
import type { OperatorContext } from '../operator-context.ts'
import { operatorSchema } from '../operator-schema.ts'

const meSchema = z
  .strictObject({
    operator: operatorSchema,
    stack: z.enum(['live', 'sandbox']),
    four_eyes: z.boolean().describe('Whether some acts need a second operator'),
    acts: z.array(z.string()).describe('What the role allows beyond reading'),
  })
  .meta({ id: 'Me' })

const operatorsSchema = z
  .strictObject({ items: z.array(operatorSchema.extend({ created_at: timestamp })) })
  .meta({ id: 'Operators' })

export function operatorRoutes(app: TypedApp, { db, config }: OperatorContext): void {
  app.get(
    '/me',
    {
      schema: operatorOperation({
        id: 'getMe',
        summary: 'Show whose token it is, and what they may do',
        tag: 'Operators',
        response: { 200: meSchema },
      }),
    },
    async (request) => {
      const operator = operatorOf(request)
      const { stack, isFourEyes } = config
      return { operator, stack, four_eyes: isFourEyes, acts: actsOf(operator.role) }
    },
  )

  app.get(
    '/operators',
    {
      schema: operatorOperation({
        id: 'listOperators',
        summary: 'List the operators',
        tag: 'Operators',
        response: { 200: operatorsSchema },
      }),
    },
    async () => {
      const operators = await listOperators(db)
      return {
        items: operators.map(({ createdAt, ...operator }) => ({
          ...operator,
          created_at: createdAt.toISOString(),
        })),
      }
    },
  )
}

import { z } from 'zod'
import { OPERATOR_ROLES } from '../../domain/operators/roles.ts'
import { idText } from '../schemas/fields.ts'
import { linkedOutcome } from './perform-act.ts'

export const OPERATOR_EXAMPLE = {
  id: 'opr_01k9x4m2q8e0tb7f2v5j6h8n3c',
  email: 'ada@lender.example',
  name: 'Ada',
  role: 'risk' as const,
}

export const operatorSchema = z
  .strictObject({
    id: idText('opr'),
    email: z.string(),
    name: z.string(),
    role: z.enum(OPERATOR_ROLES),
  })
  .meta({ id: 'Operator', examples: [OPERATOR_EXAMPLE] })

/** Another operator confirms it, for one who can sign in. */
export const invitedAgainSchema = z
  .strictObject({ ...linkedOutcome, operator: operatorSchema })
  .meta({
    id: 'InvitedAgain',
    examples: [
      {
        ...{ outcome: 'proposed', approval_id: 'apr_01k9x4m2q8e0tb7f2v5j6h8n3c' },
        ...{ expires_at: '2026-11-25T12:00:00.000Z', invitation_url: null },
        operator: OPERATOR_EXAMPLE,
      },
    ],
  })

export const invitedSchema = z
  .strictObject({
    operator: operatorSchema,
    invitation_url: z.string().describe('Opens once, within 24 hours; shown only now'),
  })
  .meta({
    id: 'InvitedOperator',
    examples: [
      { operator: OPERATOR_EXAMPLE, invitation_url: 'https://desk.example.com/desk/#token=opi.…' },
    ],
  })

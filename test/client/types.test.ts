import { expect, expectTypeOf, test } from 'vitest'
import type { z } from 'zod'
import document from '../../openapi.json' with { type: 'json' }
import type { operations } from '../../src/client/generated/openapi-types.ts'
import type { ROUTES } from '../../src/client/generated/routes.ts'
import type * as client from '../../src/client/index.ts'
import type { AnswerOf, BodyOf, PathOf, QueryOf } from '../../src/client/operation-types.ts'
import type { ERROR_CODES } from '../../src/core/errors.ts'
import type { FieldCode } from '../../src/core/field-errors.ts'
import type { EventData, EventType } from '../../src/domain/events/catalogue/event-types.ts'
import type { deliverySchema } from '../../src/http/routes/deliveries.ts'
import type {
  drawObject,
  facilityObject,
  repaymentObject,
} from '../../src/http/routes/facility-schemas.ts'
import type { levelsSchema } from '../../src/http/routes/levels-schemas.ts'
import type {
  callObject,
  collateralSchema,
  warningObject,
} from '../../src/http/routes/margin-schemas.ts'
import type { portfolioSchema, pushedSchema } from '../../src/http/routes/portfolio-schemas.ts'
import type { previewSchema } from '../../src/http/routes/preview-schemas.ts'
import type { payoffSchema, statementSchema } from '../../src/http/routes/statement-schemas.ts'
import type { decisionObject } from '../../src/http/schemas/margin-decision.ts'
import { operationsOf } from '../attacks/fuzz/document.ts'

type Id = client.OperationId
type At<Whole, Name> = Name extends keyof Whole ? Whole[Name] : never
type Path<Name extends Id> = (typeof ROUTES)[Name][1]
type Method<Name extends Id> = Lowercase<(typeof ROUTES)[Name][0]>
type Described<Name extends Id> = At<At<(typeof document)['paths'], Path<Name>>, Method<Name>>

type Equal<One, Other> =
  (<T>() => T extends One ? 1 : 2) extends <T>() => T extends Other ? 1 : 2 ? true : false
type Has<Whole, Name extends string> = Name extends keyof Whole ? true : false
type Is<Value> = [Value] extends [undefined] ? false : true
/** The operations for which a rule does not hold. */
type Exceptions<Rules extends Record<Id, boolean>> = {
  [Name in Id]: Rules[Name] extends true ? never : Name
}[Id]

type NamesIn<Text> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never

/** Members that may be undefined and members that may be left out are one thing in JSON. */
type Plain<Value> = Value extends readonly (infer Item)[]
  ? Plain<Item>[]
  : Value extends object
    ? { [Name in keyof Value]: Plain<Exclude<Value[Name], undefined>> }
    : Value
type Sent<Schema> = Schema extends z.ZodType ? Plain<z.input<Schema>> : never

// What is wrong here fails `npm run check`: types do not exist when tests run.
test('every operation is typed, and each has the parameters of its path', () => {
  type Rules = {
    [Name in Id]: Equal<keyof PathOf<operations[Name]>, NamesIn<Path<Name>>>
  }
  expectTypeOf<Exceptions<Rules>>().toBeNever()
})

test('every operation takes a body where the document has one', () => {
  type Rules = {
    [Name in Id]: Equal<Is<BodyOf<operations[Name]>>, Has<Described<Name>, 'requestBody'>>
  }
  expectTypeOf<Exceptions<Rules>>().toBeNever()
})

test('every operation answers a success with what the document has for it', () => {
  type Success<Name extends Id> = At<
    At<Described<Name>, 'responses'>,
    '200' | '201' | '202' | '204'
  >
  type Rules = {
    [Name in Id]: Equal<Is<AnswerOf<operations[Name]>>, Has<Success<Name>, 'content'>>
  }
  expectTypeOf<Exceptions<Rules>>().toBeNever()
})

test('every query is typed by the parameters of the document, and no other', () => {
  type WithQuery = { [Name in Id]: Is<QueryOf<operations[Name]>> extends true ? Name : never }[Id]
  const queries: { [Name in WithQuery]: Record<keyof client.Query<Name>, true> } = QUERIES
  const described = operationsOf(document).filter(({ query }) => query.length > 0)
  const names = described.map(({ id, query }) => [id, query.map(({ name }) => name).sort()])
  const typed = Object.entries(queries).map(([id, query]) => [id, Object.keys(query).sort()])
  expect(Object.fromEntries(typed)).toEqual(Object.fromEntries(names))
})

const QUERIES = {
  getPayoff: { at: true },
  getStatement: { cursor: true, from: true, interest: true, limit: true, to: true },
  listBorrowers: { eligible: true, external_id: true, from: true, limit: true },
  listDeliveries: { from: true, limit: true, state: true },
  listDeliveryAttempts: { from: true, limit: true },
  listDraws: { from: true, limit: true },
  listEvents: {
    borrower_id: true,
    facility_id: true,
    from: true,
    limit: true,
    resource_id: true,
    type: true,
  },
  listFacilities: { borrower_id: true, external_id: true, from: true, limit: true, state: true },
  listMarginCalls: { from: true, limit: true },
  listMarginWarnings: { from: true, limit: true },
  listRepayments: { from: true, limit: true },
  replayEvents: { from: true, limit: true },
} as const

test('a resource has the type by which the service sends it', () => {
  expectTypeOf<Plain<client.Facility>>().toEqualTypeOf<Sent<typeof facilityObject>>()
  expectTypeOf<Plain<client.Draw>>().toEqualTypeOf<Sent<typeof drawObject>>()
  expectTypeOf<Plain<client.Repayment>>().toEqualTypeOf<Sent<typeof repaymentObject>>()
  expectTypeOf<Plain<client.Collateral>>().toEqualTypeOf<Sent<typeof collateralSchema>>()
  expectTypeOf<Plain<client.MarginWarning>>().toEqualTypeOf<Sent<typeof warningObject>>()
  expectTypeOf<Plain<client.MarginCall>>().toEqualTypeOf<Sent<typeof callObject>>()
  expectTypeOf<Plain<client.MarginDecision>>().toEqualTypeOf<Sent<typeof decisionObject>>()
  expectTypeOf<Plain<client.Portfolio>>().toEqualTypeOf<Sent<typeof portfolioSchema>>()
  expectTypeOf<Plain<client.PortfolioPush>>().toEqualTypeOf<Sent<typeof pushedSchema>>()
  expectTypeOf<Plain<client.Delivery>>().toEqualTypeOf<Sent<typeof deliverySchema>>()
  type Answer<Name extends Id> = Plain<client.Answer<Name>>
  expectTypeOf<Answer<'getMarginLevels'>>().toEqualTypeOf<Sent<typeof levelsSchema>>()
  expectTypeOf<Answer<'previewFacility'>>().toEqualTypeOf<Sent<typeof previewSchema>>()
  expectTypeOf<Answer<'getStatement'>>().toEqualTypeOf<Sent<typeof statementSchema>>()
  expectTypeOf<Answer<'getPayoff'>>().toEqualTypeOf<Sent<typeof payoffSchema>>()
})

test('a body has the type that the service takes', () => {
  expectTypeOf<Plain<client.NewBorrower>>().toEqualTypeOf<{
    type: 'individual' | 'business'
    kyc_attested: boolean
    residency_country: string
    residency_state?: string
    external_id?: string
  }>()
  expectTypeOf<Plain<client.NewRepayment>>().toEqualTypeOf<{
    amount: string
    asset: string
    margin_warning_number?: number
  }>()
})

test('an event is known by its type, and its data has the type that the service gives it', () => {
  expectTypeOf<client.EventType>().toEqualTypeOf<EventType>()
  type Data<Type extends EventType> = Equal<Plain<client.EventData<Type>>, Plain<EventData<Type>>>
  type Wrong = { [Type in EventType]: Data<Type> extends true ? never : Type }[EventType]
  expectTypeOf<Wrong>().toBeNever()
  type Warning = Extract<client.WebhookEvent, { type: 'margin_warning.raised' }>
  expectTypeOf<Warning['data']>().toEqualTypeOf<client.EventData<'margin_warning.raised'>>()
  expectTypeOf<Warning['sequence']>().toEqualTypeOf<number>()
})

test('a problem has one of the codes of the service, and so has each member at fault', () => {
  expectTypeOf<client.ProblemCode>().toEqualTypeOf<(typeof ERROR_CODES)[number]>()
  expectTypeOf<client.InvalidMemberCode>().toEqualTypeOf<FieldCode>()
  type Members = client.ProblemWith<'scope_missing'>['members']
  expectTypeOf<Members['required_scope']>().toEqualTypeOf<string>()
})

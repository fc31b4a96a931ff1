import type { Tx } from '../../src/db/database.ts'
import type { Prebuilt } from '../../src/db/transactions/built-once.ts'
import type { Call } from './sample.ts'

type Answers = (...args: never[]) => Promise<unknown>
/** Only where it takes a transaction: the rest are helpers. */
type Sends<Function> = Function extends (tx: infer First, ...rest: never[]) => void
  ? [First] extends [Tx]
    ? Function
    : never
  : never
type MakesStatement = (values: never) => Prebuilt<unknown>

/** A call for each query function that a module exports: one that is missing does not compile. */
type Calls<Module> = {
  [Name in keyof Module as Module[Name] extends Answers | Sends<Module[Name]> | MakesStatement
    ? Name
    : never]: Call
}

export type QueriesFile = {
  /** Below src/. */
  path: string
  module: Readonly<Record<string, unknown>>
  calls: Readonly<Record<string, Call>>
}

export function queriesFile<Module extends object>(
  path: string,
  module: Module,
  calls: Calls<Module>,
): QueriesFile {
  return {
    path,
    module: module as Readonly<Record<string, unknown>>,
    calls: calls as Readonly<Record<string, Call>>,
  }
}

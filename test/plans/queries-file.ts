import type { Call } from './sample.ts'

/** A call for each query function that a module exports: one that is missing does not compile. */
type Calls<Module> = {
  [Name in keyof Module as Module[Name] extends (...args: never[]) => Promise<unknown>
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

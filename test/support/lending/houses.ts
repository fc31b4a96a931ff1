import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import {
  type Lending,
  type LendingOptions,
  openHousesInOneDatabase,
  openLending,
} from './lending.ts'

/** A house that is another one in each test of a file, all in one database. */
export function houseForEachTest({ maxConnections, ...options }: LendingOptions = {}): Lending {
  const openHouse = openHousesInOneDatabase(maxConnections)
  const house = {} as Lending
  beforeEach(() => openHouse(options, house))
  afterEach(() => house[Symbol.asyncDispose]())
  return house
}

/** A house that all tests of a file share. */
export function houseForFile(options: LendingOptions = {}): Lending {
  const house = {} as Lending
  beforeAll(() => openLending(options, house))
  afterAll(() => house[Symbol.asyncDispose]())
  return house
}

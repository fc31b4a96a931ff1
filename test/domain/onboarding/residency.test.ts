import { iso31661, iso31662 } from 'iso-3166'
import { describe, expect, test } from 'vitest'
import { inTransaction } from '../../../src/db/database.ts'
import {
  findResidencyFault,
  findResidencyRule,
  listResidencyRules,
  type ResidencyRule,
  setResidencyRule,
} from '../../../src/domain/onboarding/residency.ts'
import { databaseForFile } from '../../support/stores/database.ts'

const database = databaseForFile()

const NOW = new Date('2026-11-20T10:00:00.000Z')

async function setRule(rest: Partial<ResidencyRule>): Promise<void> {
  const rule: ResidencyRule = {
    country: 'US',
    state: undefined,
    borrowerType: 'individual',
    allowed: true,
    ratePpm: undefined,
    maxLimitCents: undefined,
    ...rest,
  }
  await inTransaction(database.db, (tx) => setResidencyRule(tx, rule, NOW))
}

const find = (country: string, state?: string, type: 'individual' | 'business' = 'individual') =>
  findResidencyRule(database.db, { country, state }, type)

describe('a residency', () => {
  test('a residency is well formed for each of the 249 countries of ISO 3166-1', () => {
    const countries = iso31661.filter((entry) => entry.state === 'assigned')
    expect(countries).toHaveLength(249)
    for (const { alpha2 } of countries) {
      const state = alpha2 === 'US' ? 'CA' : undefined
      expect(findResidencyFault({ country: alpha2, state }), alpha2).toBeUndefined()
    }
  })

  test('a residency in the US is well formed with each state of ISO 3166-2', () => {
    const codes = iso31662.filter((entry) => entry.parent === 'US').map((entry) => entry.code)
    expect(codes.length).toBeGreaterThanOrEqual(51)
    for (const code of codes) {
      expect(findResidencyFault({ country: 'US', state: code.slice(3) }), code).toBeUndefined()
    }
  })

  test('no other code of two letters is a country, and none a state of the US', () => {
    const states = new Set(iso31662.map(({ code }) => code).filter((code) => /^US-/.test(code)))
    const countries = new Set(
      iso31661.filter((entry) => entry.state === 'assigned').map(({ alpha2 }) => alpha2),
    )
    const letters = Array.from({ length: 26 }, (_, at) => String.fromCharCode(65 + at))
    for (const code of letters.flatMap((first) => letters.map((second) => first + second))) {
      const state = code === 'US' ? 'CA' : undefined
      const country = findResidencyFault({ country: code, state })
      expect(country === undefined, code).toBe(countries.has(code))
      const inUs = findResidencyFault({ country: 'US', state: code })
      expect(inUs === undefined, code).toBe(states.has(`US-${code}`))
    }
  })

  test.each(['us', 'USA', 'XX', 'EU', 'UK', 'ZZ', '', 'constructor'])(
    'a residency in the country %o is refused',
    (country) => {
      expect(findResidencyFault({ country, state: undefined })).toMatchObject({
        member: 'residency_country',
      })
    },
  )

  test.each([undefined, 'US-CA', 'ca', 'XX', 'California', ''])(
    'a residency in the US with the state %o is refused',
    (state) => {
      expect(findResidencyFault({ country: 'US', state })).toMatchObject({
        member: 'residency_state',
      })
    },
  )

  test('a residency outside the US is refused with any state', () => {
    for (const [country, state] of [
      ['DE', 'BE'],
      ['CA', 'QC'],
      ['PR', 'PR'],
    ] as const) {
      expect(findResidencyFault({ country, state })).toMatchObject({ member: 'residency_state' })
    }
  })
})

describe('the policy', () => {
  test('a place without a row in the policy is denied', async () => {
    expect(await find('FR')).toBeUndefined()
  })

  test('the policy for a state replaces that of its country, both ways', async () => {
    await setRule({ allowed: true })
    await setRule({ state: 'HI', allowed: false })
    await setRule({ country: 'GB', allowed: false })
    expect(await find('US', 'CA')).toMatchObject({ allowed: true, state: undefined })
    expect(await find('US', 'HI')).toMatchObject({ allowed: false, state: 'HI' })
    expect(await find('GB')).toMatchObject({ allowed: false })

    await setRule({ borrowerType: 'business', allowed: false })
    await setRule({ borrowerType: 'business', state: 'NY', allowed: true })
    expect(await find('US', 'NY', 'business')).toMatchObject({ allowed: true })
    expect(await find('US', 'CA', 'business')).toMatchObject({ allowed: false })
  })

  test('the policy for one borrower type does not apply to the other', async () => {
    await setRule({ country: 'CH', borrowerType: 'business' })
    expect(await find('CH', undefined, 'business')).toMatchObject({ allowed: true })
    expect(await find('CH')).toBeUndefined()
  })

  test('the policy keeps one row for a place and type, the last one written', async () => {
    await setRule({ country: 'AT', ratePpm: 90_000, maxLimitCents: 5_000_000n })
    await setRule({ country: 'AT', ratePpm: 0 })
    const rules = (await listResidencyRules(database.db)).filter((rule) => rule.country === 'AT')
    expect(rules).toEqual([
      {
        country: 'AT',
        state: undefined,
        borrowerType: 'individual',
        allowed: true,
        ratePpm: 0,
        maxLimitCents: undefined,
      },
    ])
  })
})

import { joinPages } from '../../../../client/listing.ts'
import { saveFile } from '../../../../pages/data/save-file.ts'
import { service } from '../../../data/console-api.ts'

const TYPES = { csv: 'text/csv', json: 'application/json' } as const

type Period = { from: string; to: string; interest: 'period' | 'day' }

/** The API's own answer as a file, of all pages. */
export async function downloadStatement(
  facilityId: string,
  period: Period,
  form: 'csv' | 'json',
): Promise<void> {
  const text =
    form === 'csv'
      ? await service.getStatementCsv(facilityId, period)
      : JSON.stringify(await readWhole(facilityId, period), null, 2)
  const days = `${period.from.slice(0, 10)}_${period.to.slice(0, 10)}`
  saveFile(`${facilityId}_${days}.${form}`, text, TYPES[form])
}

const readWhole = (facilityId: string, period: Period) =>
  joinPages(service.getStatement(facilityId, { ...period, limit: 500 }))

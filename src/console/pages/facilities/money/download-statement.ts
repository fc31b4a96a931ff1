import { saveFile } from '../../../data/save-file.ts'
import { service } from '../../../data/service.ts'

const TYPES = { csv: 'text/csv', json: 'application/json' } as const

type Period = { from: string; to: string; interest: 'period' | 'day' }

/** The API's own answer as a file. */
export async function downloadStatement(
  facilityId: string,
  period: Period,
  form: 'csv' | 'json',
): Promise<void> {
  const text =
    form === 'csv'
      ? await service.getStatementCsv(facilityId, period)
      : JSON.stringify(await service.getStatement(facilityId, period), null, 2)
  const days = `${period.from.slice(0, 10)}_${period.to.slice(0, 10)}`
  saveFile(`${facilityId}_${days}.${form}`, text, TYPES[form])
}

import { service } from '../../../data/service.ts'

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
  const type = form === 'csv' ? 'text/csv' : 'application/json'
  const days = `${period.from.slice(0, 10)}_${period.to.slice(0, 10)}`
  saveFile(`${facilityId}_${days}.${form}`, new Blob([text], { type }))
}

function saveFile(name: string, content: Blob): void {
  const address = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // The browser reads it after this task.
  window.setTimeout(() => URL.revokeObjectURL(address), 10_000)
}

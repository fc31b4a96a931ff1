import { queryClient } from '../../../pages/data/query-client.ts'
import { consoleApi, KEYS } from '../../data/console-api.ts'

export async function revokeKey(id: string): Promise<void> {
  await consoleApi.revokeKey(id)
  await queryClient.invalidateQueries({ queryKey: KEYS })
}

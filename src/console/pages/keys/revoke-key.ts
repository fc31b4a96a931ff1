import { consoleApi } from '../../data/console-api.ts'
import { queryClient } from '../../data/query-client.ts'
import { KEYS } from '../../data/query-keys.ts'

export async function revokeKey(id: string): Promise<void> {
  await consoleApi.revokeKey(id)
  await queryClient.invalidateQueries({ queryKey: KEYS })
}

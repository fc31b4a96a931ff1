import { consoleApi } from '../../data/console-api.ts'
import { queryClient } from '../../data/query-client.ts'
import { KEYS } from '../../data/query-keys.ts'
import { useSession } from '../../data/session.ts'
import { proveByPasskey } from '../../sign-in/passkeys.ts'

/** Revokes a key, which a passkey confirms; the link of a local stack is enough without passkeys. */
export function useRevokeKey() {
  const { passkeys, local } = useSession()
  const isLinkEnough = local && passkeys === 0
  const revokeKey = async (id: string) => {
    const proof = isLinkEnough
      ? undefined
      : await proveByPasskey(await consoleApi.startKeyRevocation(id))
    await consoleApi.revokeKey(id, proof)
    await queryClient.invalidateQueries({ queryKey: KEYS })
  }
  return { revokeKey, isLinkEnough }
}

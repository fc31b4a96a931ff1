import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { live } from '../../../pages/data/query-client.ts'
import { Notice } from '../../../pages/parts/page.tsx'
import { service, useSession } from '../../data/console-api.ts'

const LIMIT = 500

/** The loans that owe money now. */
export async function listOwing(options: { signal?: AbortSignal }) {
  const query = { state: 'APPROVED' as const, limit: LIMIT }
  const { items, has_more: isMore } = await service.listFacilities(query, options)
  return { owing: items.filter(({ outstanding }) => outstanding.total !== '0.00'), isMore }
}

/** What these controls change besides the thing that is tried out. */
export function AffectedNotice() {
  const { tenant } = useSession()
  const { data } = useQuery({
    queryKey: live('facilities', 'owing'),
    queryFn: ({ signal }) => listOwing({ signal }),
    refetchInterval: 30_000,
  })
  return (
    <Notice tone="warn" title={`Everything here counts for the whole of ${tenant.name}`}>
      Prices and the clock are those of every loan of this tenant, of its webhooks and of everyone
      who uses its keys. The clock cannot be set back.{' '}
      {data && <Loans owing={data.owing.length} isMore={data.isMore} />} Other tenants notice
      nothing.
    </Notice>
  )
}

function Loans({ owing, isMore }: { owing: number; isMore: boolean }) {
  if (owing === 0) return 'No loan owes money now.'
  const isOne = owing === 1 && !isMore
  const count = `${owing}${isMore ? '+' : ''} ${isOne ? 'loan owes' : 'loans owe'}`
  return (
    <>
      <Link
        to="/facilities"
        search={{ state: 'APPROVED' }}
        style={{ color: 'inherit', textDecoration: 'underline' }}
      >
        {count} money now
      </Link>
      : a fall of prices can warn about {isOne ? 'it and sell its' : 'them and sell their'}{' '}
      collateral.
    </>
  )
}

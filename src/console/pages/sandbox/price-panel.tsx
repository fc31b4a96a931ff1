import { Group, SegmentedControl, Slider, Stack } from '@mantine/core'
import { lazy, Suspense, useEffect, useState } from 'react'
import { isDecimal } from '../../../pages/data/figures.ts'
import { useChange } from '../../../pages/data/use-change.ts'
import { TextField } from '../../../pages/parts/fields.tsx'
import { GuardedButton } from '../../../pages/parts/forms.tsx'
import { Loading, Panel, ProblemAlert } from '../../../pages/parts/page.tsx'
import { groupDigits, Status } from '../../../pages/parts/values.tsx'
import { useCan } from '../../../pages/sign-in/session.ts'
import { service } from '../../data/console-api.ts'
import { type SandboxAsset, usePriceHistory, usePrices } from './prices.ts'
import classes from './sandbox.module.css'

const PriceChart = lazy(async () => {
  const { PriceChart } = await import('./price-chart.tsx')
  return { default: PriceChart }
})

/** What the slider spans; any other price can be typed in. */
const SPANS: Record<SandboxAsset, { min: number; max: number; step: number }> = {
  BTC: { min: 20_000, max: 140_000, step: 500 },
  ETH: { min: 500, max: 8_000, step: 50 },
  USDC: { min: 0.8, max: 1.05, step: 0.005 },
}

const ASSETS = Object.keys(SPANS) as SandboxAsset[]

export function PricePanel() {
  const [asset, setAsset] = useState<SandboxAsset>('BTC')
  const { data, error } = usePrices()
  const history = usePriceHistory(asset)
  const price = data?.find((item) => item.asset === asset)
  return (
    <Panel
      title="Price"
      actions={
        <SegmentedControl
          size="xs"
          aria-label="Asset"
          data={ASSETS}
          value={asset}
          onChange={(value) => setAsset(value as SandboxAsset)}
        />
      }
    >
      <ProblemAlert error={error} />
      {!price && !error && <Loading />}
      {price && (
        <Stack gap="md">
          <Group justify="space-between">
            <span className={classes.big} data-testid="price">
              {groupDigits(price.price_usd)} <small className="quiet">USD</small>
            </span>
            <Status tone={price.source === 'tenant' ? 'calm' : 'plain'}>
              {price.source === 'tenant' ? 'Set by you' : 'Market'}
            </Status>
          </Group>
          <PriceControl key={asset} asset={asset} price={price.price_usd} />
          <ProblemAlert error={history.error} />
          {history.points && (
            <Suspense fallback={<Loading lines={5} />}>
              <PriceChart asset={asset} points={history.points} isSet={history.isSet} />
            </Suspense>
          )}
        </Stack>
      )}
    </Panel>
  )
}

function PriceControl({ asset, price }: { asset: SandboxAsset; price: string }) {
  const can = useCan('facility:write')
  const span = SPANS[asset]
  const [text, setText] = useState(price)
  useEffect(() => setText(price), [price])
  const set = useChange({
    change: (to: string | null, idempotencyKey) =>
      service.setSandboxPrice(asset, to, { idempotencyKey }),
  })
  const isValid = isDecimal(text) && Number(text) > 0
  return (
    <>
      <Slider
        {...span}
        disabled={!can}
        thumbLabel={`Price of ${asset}`}
        label={(value) => groupDigits(String(value))}
        value={Number(text) || span.min}
        onChange={(value) => setText(String(value))}
        onChangeEnd={(value) => set.mutate(String(value))}
      />
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (isValid) set.mutate(text)
        }}
      >
        <Group gap="xs" align="end">
          <TextField
            size="xs"
            flex={1}
            miw={120}
            label={`${asset} in USD`}
            inputMode="decimal"
            autoComplete="off"
            value={text}
            error={isValid ? undefined : 'Expected a decimal above 0.'}
            onChange={setText}
          />
          <GuardedButton scope="facility:write" type="submit" loading={set.isPending}>
            Set the price
          </GuardedButton>
          <GuardedButton scope="facility:write" variant="default" onClick={() => set.mutate(null)}>
            Back to the market
          </GuardedButton>
        </Group>
      </form>
      <ProblemAlert error={set.error} />
      <p className="quiet">
        A price raises or cures a warning once it has held for a minute: set it, then set the clock
        61 s ahead.
      </p>
    </>
  )
}

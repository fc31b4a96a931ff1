import { Button, Group } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { describeReceipt, type ReceiptVerdict, verifyReceipt } from '../../client/index.ts'
import { saveFile } from '../data/save-file.ts'
import { Notice, ProblemAlert } from '../parts/page.tsx'
import classes from './lending.module.css'

type SaleReceiptProps = {
  /** The file's name, without its ending. */
  name: string
  read: () => Promise<string>
}

/** Why collateral was sold, in sentences that are made from the receipt, and its file. */
export function SaleReceipt({ name, read }: SaleReceiptProps) {
  const reading = useMutation({
    mutationFn: async () => {
      const file = await read()
      return { file, verdict: await verifyReceipt(file) }
    },
  })
  const { data } = reading
  return (
    <>
      <Group gap="xs">
        <Button
          size="compact-xs"
          variant="subtle"
          loading={reading.isPending}
          onClick={() => reading.mutate()}
        >
          Why was my collateral sold?
        </Button>
        {data && (
          <Button
            size="compact-xs"
            variant="subtle"
            onClick={() => saveFile(`${name}.json`, data.file, 'application/json')}
          >
            Save the receipt
          </Button>
        )}
      </Group>
      <ProblemAlert error={reading.error} />
      {data && <Sentences of={data.verdict} />}
    </>
  )
}

function Sentences({ of: verdict }: { of: ReceiptVerdict }) {
  if (!verdict.ok) {
    return (
      <Notice tone="bad" title="The receipt is wrong">
        {verdict.faults.join(' ')}
      </Notice>
    )
  }
  return (
    <div className={classes.record}>
      <ul>
        {describeReceipt(verdict.receipt).map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      <p className="quiet">
        Recomputed from the receipt to the cent in this browser. Signed by {verdict.keyId}.
      </p>
    </div>
  )
}

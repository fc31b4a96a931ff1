import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { type AnyRouter, RouterProvider } from '@tanstack/react-router'
import { createRoot } from 'react-dom/client'
import { queryClient } from '../data/query-client.ts'
import { watchPerson } from '../data/session-fetch.ts'
import { cssVariables, theme } from '../theme.ts'
import { type Application, ApplicationProvider } from './application.ts'

/** Draws an application in the page that it was loaded by. */
export function start(application: Application, router: AnyRouter): void {
  watchPerson()
  const root = document.getElementById('root')
  if (root) createRoot(root).render(<App application={application} router={router} />)
}

function App({ application, router }: { application: Application; router: AnyRouter }) {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      defaultColorScheme="auto"
      getStyleNonce={readNonce}
    >
      <QueryClientProvider client={queryClient}>
        <ApplicationProvider value={application}>
          <RouterProvider router={router} />
        </ApplicationProvider>
      </QueryClientProvider>
    </MantineProvider>
  )
}

declare global {
  var __webpack_nonce__: string | undefined
}

const nonce = document.querySelector<HTMLMetaElement>('meta[name=csp-nonce]')?.content ?? ''
// The style that stops the page's scrolling behind a dialog takes its nonce from there.
globalThis.__webpack_nonce__ = nonce

/** The page's policy allows style tags with this nonce alone. */
export const readNonce = () => nonce

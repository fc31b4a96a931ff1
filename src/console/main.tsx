import './mantine.css'
import './base.css'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { watchPerson } from './data/attended-fetch.ts'

watchPerson()
const root = document.getElementById('root')
if (root) createRoot(root).render(<App />)

import { type ReactNode, useEffect } from 'react'
import mark from '../../icon.svg'
import classes from '../shell.module.css'

export function SignInFrame({ title, children }: { title: string; children: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · Lending console`
  }, [title])
  return (
    <main className={classes.signIn}>
      <div className={classes.signInCard}>
        <span className={classes.brand}>
          <img src={mark} alt="" width={28} height={28} />
          Lending console
        </span>
        <h1>{title}</h1>
        {children}
      </div>
    </main>
  )
}

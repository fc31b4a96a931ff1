// A receiver for the seeds: it writes down what it applies, in the order in which it does.
package main

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
	"time"

	_ "github.com/lib/pq"
	lending "lendingservice.example/client"
)

func main() {
	db, err := sql.Open("postgres", os.Getenv("DATABASE_URL"))
	if err != nil {
		log.Fatal(err)
	}
	db.SetMaxOpenConns(3)
	service, err := lending.NewService(os.Getenv("SERVICE_URL"), os.Getenv("KEY_ID"), os.Getenv("PRIVATE_KEY"))
	if err != nil {
		log.Fatal(err)
	}
	failed := map[int64]bool{}
	inbox := lending.NewInbox(lending.InboxOptions[*sql.Tx]{
		Name:      os.Getenv("INBOX"),
		WebhookID: os.Getenv("WEBHOOK_ID"),
		Secrets:   []string{os.Getenv("SECRET")},
		Service:   service,
		Store:     lending.PostgresStore{DB: db},
		GapAfter:  100 * time.Millisecond,
		ReadEvery: 500 * time.Millisecond,
		Apply: func(ctx context.Context, tx *sql.Tx, event lending.Event) error {
			body, err := bodyOf(event)
			if err != nil {
				return err
			}
			resource := event.Resource.Type + "/" + event.Resource.ID
			if _, err := tx.ExecContext(ctx, `
				INSERT INTO applied (inbox, sequence, event_id, resource, version, body)
				VALUES ($1, $2, $3, $4, $5, $6)`,
				os.Getenv("INBOX"), event.Sequence, event.ID, resource, event.ResourceVersion, body); err != nil {
				return err
			}
			// What it has written must not stay.
			if event.Sequence%11 == 0 && !failed[event.Sequence] {
				failed[event.Sequence] = true
				return errors.New("failed once")
			}
			return nil
		},
	})
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("listening %d\n", listener.Addr().(*net.TCPAddr).Port)
	go func() { log.Fatal(http.Serve(listener, inbox)) }()
	inbox.Run(context.Background())
}

// bodyOf is what was delivered, byte for byte.
func bodyOf(event lending.Event) (string, error) {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(event)
	return string(bytes.TrimSpace(text.Bytes())), err
}

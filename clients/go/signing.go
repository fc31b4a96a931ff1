// Package lendingservice is the client of the lending service: models, signing, verifying and the inbox.
package lendingservice

import (
	"crypto/ed25519"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/hex"
	"encoding/pem"
	"errors"
	"strings"
)

// SignedParts is what a signature covers. An absent value is empty.
type SignedParts struct {
	KeyID     string
	Timestamp string
	Method    string
	// Target is path and query exactly as sent, for example /v1/webhooks?limit=10.
	Target         string
	IdempotencyKey string
	Body           []byte
}

// StringToSign returns seven lines without a trailing newline.
func StringToSign(parts SignedParts) string {
	hash := sha256.Sum256(parts.Body)
	return strings.Join([]string{
		"SVC-ED25519-V1", parts.KeyID, parts.Timestamp, strings.ToUpper(parts.Method), parts.Target,
		parts.IdempotencyKey, hex.EncodeToString(hash[:]),
	}, "\n")
}

// Sign returns the value of X-SVC-Signature.
func Sign(key ed25519.PrivateKey, parts SignedParts) string {
	return base64.StdEncoding.EncodeToString(ed25519.Sign(key, []byte(StringToSign(parts))))
}

// ReadPrivateKey reads an Ed25519 key in PKCS#8 PEM form.
func ReadPrivateKey(text string) (ed25519.PrivateKey, error) {
	block, _ := pem.Decode([]byte(text))
	if block == nil {
		return nil, errors.New("the private key is not in PEM form")
	}
	key, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		return nil, err
	}
	private, ok := key.(ed25519.PrivateKey)
	if !ok {
		return nil, errors.New("the private key is not an Ed25519 key")
	}
	return private, nil
}

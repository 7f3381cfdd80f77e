package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"net/url"
	"sort"
	"strings"
)

// As encodeURIComponent in JavaScript.
var plain = strings.NewReplacer("+", "%20", "%21", "!", "%27", "'", "%28", "(", "%29", ")", "%2A", "*")

func encode(text string) string { return plain.Replace(url.QueryEscape(text)) }

func signLink(base, keyID, secret, file string, parameters map[string]string) string {
	pairs := []string{}
	for name, value := range parameters {
		pairs = append(pairs, encode(name)+"="+encode(value))
	}
	sort.Strings(pairs)
	query := strings.Join(pairs, "&")
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(file + "?" + query))
	return base + "/r/" + keyID + "/" + hex.EncodeToString(mac.Sum(nil)) + "/" + file + "?" + query
}

/**
 * A certificate that nobody has signed but itself, and its key: for servers of tests on this machine alone.
 * Call them by the name localhost: n8n 1 and 2.0 set an IP address as TLS server name too, and Node warns of that.
 */
export const selfSigned = {
	key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgRbBNmuVUlFvbnxJ0
le2FG8onTG/p2k1KiZ9cKoN0HpShRANCAAQTTICGYwQRwxz944e2yag/c636iSif
rDsMpMOpsbr/EDVPOjLmP8qZgXgKN6SFGBToCkh93c4phgY84+O4Udl+
-----END PRIVATE KEY-----
`,
	cert: `-----BEGIN CERTIFICATE-----
MIIBfzCCASWgAwIBAgIUYW6vLHRsS6fwCgqkeycK4DO62F4wCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJMTI3LjAuMC4xMCAXDTI2MTEyMDEyNDg0M1oYDzIxMjYxMDI3
MTI0ODQzWjAUMRIwEAYDVQQDDAkxMjcuMC4wLjEwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAAQTTICGYwQRwxz944e2yag/c636iSifrDsMpMOpsbr/EDVPOjLmP8qZ
gXgKN6SFGBToCkh93c4phgY84+O4Udl+o1MwUTAdBgNVHQ4EFgQU1STo5a2I858s
fKSmn62OPzo0wB0wHwYDVR0jBBgwFoAU1STo5a2I858sfKSmn62OPzo0wB0wDwYD
VR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNIADBFAiEAzlzjIzNZ7yqFLl0Cjwji
YrSBasYOR1nTYJ3WpMO2eKMCIFMLXOW5fva+5QuUGoDH7PIDJAA6zZKtQWVJRBvt
QUHk
-----END CERTIFICATE-----
`,
};

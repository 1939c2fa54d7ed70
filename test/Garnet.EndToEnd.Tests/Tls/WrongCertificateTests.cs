// The command's errors for certificates that it cannot use: one line that says what to do, exit code 1. Starts child processes that exit by
// themselves.
using Garnet.Testing;
using Xunit;

namespace Garnet.EndToEnd.Tests.Tls;

public sealed class WrongCertificateTests : IDisposable
{
    private readonly TestCertificates _certificates = new();

    public void Dispose() => _certificates.Dispose();

    [Fact]
    public void Missing_and_unreadable_files_are_named()
    {
        AssertRefused("tls-port: TLS needs a certificate: give tls-cert-file and tls-key-file, or tls-pfx-file");
        AssertRefused("tls-cert-file: its private key is missing: give tls-key-file", "--tls-cert-file", _certificates.CertFile);
        AssertRefused(
            "tls-cert-file /no/such/file: cannot be read: Could not find a part of the path '/no/such/file'. Correct the path",
            "--tls-cert-file",
            "/no/such/file",
            "--tls-key-file",
            _certificates.KeyFile
        );
        AssertRefused(
            $"tls-key-file {_certificates.CertFile}: holds no private key in PEM form",
            "--tls-cert-file",
            _certificates.CertFile,
            "--tls-key-file",
            _certificates.CertFile
        );
        AssertRefused(
            $"tls-cert-file {_certificates.KeyFile}: holds no certificate in PEM form",
            "--tls-cert-file",
            _certificates.KeyFile,
            "--tls-key-file",
            _certificates.KeyFile
        );
    }

    [Fact]
    public void A_key_of_another_certificate_is_refused()
    {
        using var others = new TestCertificates();
        AssertRefused(
            $"tls-key-file {others.KeyFile}: is not the key of the certificate in {_certificates.CertFile}: give the two that belong together",
            "--tls-cert-file",
            _certificates.CertFile,
            "--tls-key-file",
            others.KeyFile
        );
    }

    [Fact]
    public void Expired_and_future_certificates_are_rejected()
    {
        _certificates.WriteServer(validFromDays: -20, validToDays: -10);
        AssertRefused(
            $"tls-cert-file {_certificates.CertFile}: the certificate expired on ",
            "--tls-cert-file",
            _certificates.CertFile,
            "--tls-key-file",
            _certificates.KeyFile
        );
        _certificates.WriteServer(validFromDays: 10, validToDays: 20);
        AssertRefused(
            $"tls-cert-file {_certificates.CertFile}: the certificate is valid from ",
            "--tls-cert-file",
            _certificates.CertFile,
            "--tls-key-file",
            _certificates.KeyFile
        );
    }

    [Fact]
    public void Missing_and_wrong_passwords_are_reported()
    {
        string pfx = _certificates.WritePfx("right");
        AssertRefused(
            $"tls-pfx-file {pfx}: cannot be read as PKCS #12: is it such a file, and is tls-key-file-pass its password?",
            "--tls-pfx-file",
            pfx,
            "--tls-key-file-pass",
            "wrong"
        );
        _certificates.EncryptKey("right");
        AssertRefused(
            $"tls-key-file {_certificates.KeyFile}: is encrypted: give tls-key-file-pass",
            "--tls-cert-file",
            _certificates.CertFile,
            "--tls-key-file",
            _certificates.KeyFile
        );
        AssertRefused(
            $"tls-key-file {_certificates.KeyFile}: cannot be decrypted: is tls-key-file-pass right?",
            "--tls-cert-file",
            _certificates.CertFile,
            "--tls-key-file",
            _certificates.KeyFile,
            "--tls-key-file-pass",
            "wrong"
        );
    }

    [Fact]
    public void Clients_certificates_need_an_authority()
    {
        string[] server = ["--tls-cert-file", _certificates.CertFile, "--tls-key-file", _certificates.KeyFile];
        // By default, as in Valkey, clients must present certificates.
        AssertRefused("tls-auth-clients: client certificates need an authority to vouch for them", server);
        AssertRefused(
            $"tls-ca-cert-file {_certificates.KeyFile}: holds no certificate in PEM form",
            [.. server, "--tls-ca-cert-file", _certificates.KeyFile]
        );
        AssertRefused("tls-ca-cert-dir /no/such/folder: cannot be read: ", [.. server, "--tls-ca-cert-dir", "/no/such/folder"]);
        AssertRefused(
            "tls-protocols TLSv1: not supported (allowed: TLSv1.2, TLSv1.3, or both in one text)",
            [.. server, "--tls-auth-clients", "no", "--tls-protocols", "TLSv1"]
        );
    }

    private static void AssertRefused(string message, params string[] arguments)
    {
        // The port is never opened.
        ClientProcess run = GarnetProcess.Run(["--port", "0", "--tls-port", "6379", .. arguments]);
        Assert.Equal(1, run.ExitCode);
        Assert.StartsWith($"garnet: {message}", run.Output, StringComparison.Ordinal);
        Assert.DoesNotContain('\n', run.Output.TrimEnd());
    }
}

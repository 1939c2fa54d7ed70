// `garnet --ping`: is the server that runs with these options well? One thread, then the process ends.
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using Garnet.Hosting.Health;

namespace Garnet.Tool;

/// <summary>Asks the server over its endpoint.</summary>
internal sealed class PingCommand
{
    private static readonly TimeSpan Timeout = TimeSpan.FromSeconds(5);

    private readonly X509Certificate2? _certificate;

    /// <summary>Reads its own options.</summary>
    /// <param name="arguments">What follows <c>--ping</c>.</param>
    /// <exception cref="OptionException">One is wrong, or a file cannot be used.</exception>
    public PingCommand(string[] arguments)
    {
        var own = PingOptions.Parse(arguments);
        _certificate = own.Certificate is null ? null : Load(own.Certificate, own.Key!);
    }

    /// <summary>Asks, and prints the answer. Exit code 0 when the server executed the command, else 1.</summary>
    public async Task<int> RunAsync(GarnetOptions options)
    {
        using var timeout = new CancellationTokenSource(Timeout);
        ServerPingResult result = await ServerPing.Of(options, _certificate).RunAsync(timeout.Token);
        (result.IsReady ? Console.Out : Console.Error).WriteLine(result.Line);
        return result.IsReady ? 0 : 1;
    }

    private static X509Certificate2 Load(string certificate, string key)
    {
        try
        {
            return X509Certificate2.CreateFromPemFile(certificate, key);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or CryptographicException or ArgumentException)
        {
            throw new OptionException(
                $"{PingOptions.CertificateOption} {certificate}, {PingOptions.KeyOption} {key}: cannot be used: {e.Message}"
            );
        }
    }
}

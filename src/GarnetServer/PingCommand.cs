// `garnet --ping`: is the server that runs with these options well? One thread, then the process ends.
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using Garnet.Hosting.Health;

namespace Garnet.Tool;

/// <summary>
/// Asks the server over its endpoint. Beside the server's options it takes <c>--cert</c> and <c>--key</c>: what the client shows to a
/// server that asks for a certificate.
/// </summary>
internal sealed class PingCommand
{
    private const string CertificateOption = "--cert";
    private const string KeyOption = "--key";

    private static readonly TimeSpan Timeout = TimeSpan.FromSeconds(5);

    private readonly X509Certificate2? _certificate;

    /// <summary>Takes its own arguments out.</summary>
    /// <param name="arguments">What follows <c>--ping</c>.</param>
    /// <exception cref="OptionException">One of the two is missing, or a file cannot be used.</exception>
    public PingCommand(string[] arguments)
    {
        List<string> rest = [.. arguments];
        string? certificate = Take(rest, CertificateOption);
        string? key = Take(rest, KeyOption);
        ServerArguments = [.. rest];
        if ((certificate is null) != (key is null))
        {
            throw new OptionException(
                $"{CertificateOption} and {KeyOption} belong together: the client's certificate and its private key, PEM"
            );
        }

        _certificate = certificate is null ? null : Load(certificate, key!);
    }

    /// <summary>The others: the server's options.</summary>
    public string[] ServerArguments { get; }

    /// <summary>Asks, and prints the answer. Exit code 0 when the server executed the command, else 1.</summary>
    public async Task<int> RunAsync(GarnetOptions options)
    {
        using var timeout = new CancellationTokenSource(Timeout);
        ServerPingResult result = await ServerPing.Of(options, _certificate).RunAsync(timeout.Token);
        (result.IsReady ? Console.Out : Console.Error).WriteLine(result.Line);
        return result.IsReady ? 0 : 1;
    }

    private static string? Take(List<string> arguments, string option)
    {
        int at = arguments.IndexOf(option);
        if (at < 0)
            return null;
        if (at + 1 == arguments.Count)
            throw new OptionException($"{option} needs a value: a file in PEM form");
        string value = arguments[at + 1];
        arguments.RemoveRange(at, 2);
        return value;
    }

    private static X509Certificate2 Load(string certificate, string key)
    {
        try
        {
            return X509Certificate2.CreateFromPemFile(certificate, key);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or CryptographicException or ArgumentException)
        {
            throw new OptionException($"{CertificateOption} {certificate}, {KeyOption} {key}: cannot be used: {e.Message}");
        }
    }
}

// Runs scripts on a Valkey server. One thread.
using System.Text;
using System.Text.RegularExpressions;
using Garnet.Testing;

namespace Garnet.Lua.Tests;

/// <summary>Sends scripts with EVAL, many at a time.</summary>
internal sealed partial class ValkeyScripts : IDisposable
{
    private readonly PeerServer _server = PeerServer.Start("valkey-server");
    private readonly RespExchange _client;

    public ValkeyScripts() => _client = RespExchange.Connect(_server.EndPoint);

    /// <summary>What each script returns, or its error.</summary>
    public string[] Run(IReadOnlyList<byte[]> scripts)
    {
        using var request = new MemoryStream();
        foreach (byte[] script in scripts)
            RespExchange.Encode(request, ["EVAL"u8.ToArray(), script, "0"u8.ToArray()]);
        _client.Send(request.GetBuffer().AsSpan(0, (int)request.Length));
        return [.. scripts.Select(_ => ReadResult())];
    }

    public void Dispose()
    {
        _client.Dispose();
        _server.Dispose();
    }

    private string ReadResult()
    {
        string reply = Encoding.Latin1.GetString(_client.ReadReply() ?? throw new IOException("Valkey has closed the connection."));
        if (reply[0] == '$' && reply != "$-1\r\n")
            return reply[(reply.IndexOf('\n', StringComparison.Ordinal) + 1)..^2];
        Match error = ErrorOfScript().Match(reply);
        return error.Success ? $"{error.Groups[1].Value} on {error.Groups[2].Value}" : reply.TrimEnd();
    }

    [GeneratedRegex(@"^(-.*) script: [0-9a-f]{40}, on (@\w+:\d+)\.\r\n$", RegexOptions.Singleline)]
    private static partial Regex ErrorOfScript();
}

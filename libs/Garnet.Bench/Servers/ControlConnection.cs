// A connection beside the load: asks what the server is and prepares data. One caller at a time.
using System.Net.Sockets;
using System.Security.Authentication;
using Garnet.Bench.Load;
using Garnet.Bench.Options;
using Garnet.Bench.Workloads;
using Garnet.Client;

namespace Garnet.Bench.Servers;

/// <summary>Finds out before any load whether the server is there, speaks RESP and lets the user in.</summary>
internal sealed class ControlConnection : IAsyncDisposable
{
    private readonly RespClient _client;

    private ControlConnection(RespClient client, ServerTarget server)
    {
        _client = client;
        Server = server;
    }

    /// <summary>The server, at the address that answered.</summary>
    public ServerTarget Server { get; }

    /// <summary>Ends all waiting for this server.</summary>
    public CancellationToken Cancellation { get; set; }

    /// <summary>Connects to the first of the addresses that answers, and logs in.</summary>
    /// <exception cref="BenchException">None does, or the server is of no use.</exception>
    public static async Task<ControlConnection> OpenAsync(IReadOnlyList<ServerTarget> addresses)
    {
        BenchException? failure = null;
        foreach (ServerTarget server in addresses)
        {
            RespClient client;
            try
            {
                client = await ConnectAsync(server).ConfigureAwait(false);
            }
            catch (BenchException e)
            {
                failure ??= e;
                continue;
            }

            var connection = new ControlConnection(client, server);
            try
            {
                await connection.GreetAsync().ConfigureAwait(false);
                return connection;
            }
            catch
            {
                await connection.DisposeAsync().ConfigureAwait(false);
                throw;
            }
        }

        throw failure!;
    }

    /// <summary>Sends a command; an error is returned like any other reply.</summary>
    public Task<RespValue> CallAsync(params string[] command) => GuardAsync(command[0], () => _client.TryCallAsync(command, Cancellation));

    /// <summary>Asks the server about itself.</summary>
    /// <returns>Empty information when it has no INFO or does not allow it.</returns>
    public async Task<ServerInformation> ReadInformationAsync()
    {
        RespValue reply = await CallAsync("INFO").ConfigureAwait(false);
        return new ServerInformation(reply.IsError ? "" : reply.Text);
    }

    /// <summary>Sends a template's requests, and reads their replies; those that are errors are passed over.</summary>
    /// <param name="template">The command.</param>
    /// <param name="source">What its placeholders stand for.</param>
    /// <param name="keys">The range of keys.</param>
    /// <param name="count">How many requests, at once.</param>
    public async Task SendAsync(CommandTemplate template, RequestSource source, KeyOptions keys, int count)
    {
        var sequence = KeySequence.Create(keys.WritePattern, keys, source.Random, connection: 0, connections: 1);
        byte[] request = new byte[template.MaxBytes];
        for (int i = 0; i < count; i++)
        {
            source.Begin(sequence);
            int length = template.Write(request, source);
            await GuardAsync(template.Name, () => Send(request.AsMemory(0, length))).ConfigureAwait(false);
        }

        for (int i = 0; i < count; i++)
            await GuardAsync(template.Name, () => _client.ReadAsync(Cancellation)).ConfigureAwait(false);
    }

    /// <inheritdoc/>
    public ValueTask DisposeAsync() => _client.DisposeAsync();

    private static async Task<RespClient> ConnectAsync(ServerTarget server)
    {
        using var limit = new CancellationTokenSource(server.ConnectTimeout);
        try
        {
            RespClient client = server.Tls is null
                ? await RespClient.ConnectAsync(server.EndPoint, limit.Token).ConfigureAwait(false)
                : await RespClient.ConnectAsync(server.EndPoint, server.Tls, limit.Token).ConfigureAwait(false);
            client.ReplyTimeout = server.ReplyTimeout;
            return client;
        }
        catch (Exception e) when (e is SocketException or IOException or AuthenticationException or OperationCanceledException)
        {
            throw server.CannotConnect(e);
        }
    }

    // A reply that ends the connection is of no use for more than its line.
    private async Task<T> GuardAsync<T>(string command, Func<Task<T>> call)
    {
        try
        {
            return await call().ConfigureAwait(false);
        }
        catch (OperationCanceledException e) when (Cancellation.IsCancellationRequested)
        {
            throw Server.Failed($"interrupted before the reply to {command}", e);
        }
        catch (RespProtocolException e)
        {
            throw Server.Failed($"the server does not speak RESP: {e.Message} Give the port of a RESP endpoint", e);
        }
        catch (TimeoutException e)
        {
            double seconds = Server.ReplyTimeout.TotalSeconds;
            throw Server.Failed($"no reply to {command} within {seconds:0.###} s; --reply-timeout gives it more time", e);
        }
        catch (IOException e)
        {
            throw Server.Failed($"the server closed the connection at {command}; its log may say why", e);
        }
    }

    // Whatever answers is recognised by its first byte: a web server, TLS, or none of RESP's. An error is an answer.
    private async Task<bool> ProbeAsync()
    {
        using var limit = new CancellationTokenSource(Server.ReplyTimeout);
        var reader = new ReplyReader();
        byte[] buffer = new byte[512];
        try
        {
            await _client.SendRawAsync("*1\r\n$4\r\nPING\r\n", limit.Token).ConfigureAwait(false);
            while (true)
            {
                int received = await _client.ReadRawAsync(buffer, limit.Token).ConfigureAwait(false);
                if (received == 0)
                    throw new EndOfStreamException();
                int at = 0;
                if (reader.TryRead(buffer.AsSpan(0, received), ref at, out _))
                    return true;
            }
        }
        catch (OperationCanceledException e)
        {
            throw new TimeoutException(e.Message, e);
        }
        catch (ReplyFormatException e)
        {
            throw Server.Failed(e.Message, e);
        }
    }

    private async Task<int> Send(ReadOnlyMemory<byte> bytes)
    {
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(Cancellation);
        limit.CancelAfter(Server.ReplyTimeout);
        try
        {
            await _client.SendRawAsync(bytes, limit.Token).ConfigureAwait(false);
            return bytes.Length;
        }
        catch (OperationCanceledException e) when (!Cancellation.IsCancellationRequested)
        {
            throw new TimeoutException(e.Message, e);
        }
    }

    private async Task GreetAsync()
    {
        await GuardAsync("PING", ProbeAsync).ConfigureAwait(false);
        foreach (string[] command in Server.Greeting().Append(["PING"]))
        {
            RespValue reply = await CallAsync(command).ConfigureAwait(false);
            if (reply.IsError)
                throw Server.Failed(Refusal(command[0], reply.ErrorMessage!));
        }
    }

    private static string Refusal(string command, string error)
    {
        string advice = error.Split(' ', 2)[0] switch
        {
            "NOAUTH" => "; give a password with -a, or in the variable GARNET_AUTH",
            "WRONGPASS" => "; check --user and the password",
            "LOADING" => "; try again when the server has loaded its data",
            _ => "",
        };
        return $"{command} failed: {error.ReplaceLineEndings(" ")}{advice}";
    }
}

// A server with the prepared data on which requests are measured one by one. One thread.
using Garnet.Client;

namespace Garnet.Attack.Tests.Generator;

/// <summary>Runs requests and tells what each cost.</summary>
internal sealed class MeasuredServer : IAsyncDisposable
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);

    private readonly AttackedServer _server;
    private readonly AttackMeter _meter;

    private MeasuredServer(AttackedServer server, RespClient client, AttackMeter meter) =>
        (_server, Client, _meter) = (server, client, meter);

    /// <summary>Which server it is.</summary>
    public string Name => _server.Name;

    /// <summary>The connection that requests are sent on.</summary>
    public RespClient Client { get; private set; }

    /// <summary>Fills a server, which this then owns.</summary>
    public static async Task<MeasuredServer> StartAsync(AttackedServer server)
    {
        RespClient client = await ConnectAsync(server);
        await PreparedData.FillAsync(client);
        return new MeasuredServer(server, client, new AttackMeter(server));
    }

    /// <summary>Measures one request, on fresh copies of the keys it may change.</summary>
    public async Task<MeasuredRequest> MeasureAsync(string[] request, string[] copiedKeys)
    {
        foreach (string key in copiedKeys)
            await Client.TryCallAsync("COPY", key, RequestGenerator.CopyOf(key), "REPLACE");
        _meter.Start();
        RespValue reply;
        try
        {
            reply = await Client.TryCallAsync(request);
        }
        catch (Exception e) when (e is IOException or RespConnectionException)
        {
            Client.Dispose();
            Client = await ConnectAsync(_server);
            return new MeasuredRequest(_meter.Stop(), "connection closed: " + e.Message);
        }

        long own = request.Sum(static word => (long)word.Length) + Size(reply);
        return new MeasuredRequest(_meter.Stop(own), reply.ToString()[..Math.Min(80, reply.ToString().Length)]);
    }

    /// <summary>Frees the copies.</summary>
    public Task DeleteCopiesAsync() =>
        Client.TryCallAsync([
            .. new[] { "UNLINK" }.Concat(
                PreparedData.Keys.Values.SelectMany(static keys => keys).Distinct().Select(RequestGenerator.CopyOf)
            ),
        ]);

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        _meter.Dispose();
        await Client.DisposeAsync();
        _server.Dispose();
    }

    private static async Task<RespClient> ConnectAsync(AttackedServer server)
    {
        RespClient client = await RespClient.ConnectAsync(server.EndPoint);
        client.ReplyTimeout = Patience;
        return client;
    }

    private static long Size(RespValue reply) => reply.Bytes.Length + reply.Children.Sum(Size);
}

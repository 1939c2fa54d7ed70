// A random history of locks whose owners' links fail and whose server is flushed and restarted. Real time.
using System.Net;
using Garnet.Caching.Links;
using Garnet.Caching.Locks;
using Garnet.Caching.Tests.Hybrid;
using Garnet.Client;
using Garnet.Testing;
using Xunit;
using Xunit.Abstractions;

namespace Garnet.Caching.Tests.Locks;

public sealed class LockHistoryTests(ITestOutputHelper output) : IAsyncDisposable
{
    // Troubles last longer.
    private static readonly TimeSpan Lease = TimeSpan.FromMilliseconds(60);

    private readonly IPEndPoint _endPoint = new(IPAddress.Loopback, LoopbackPort.Free());
    private GarnetServer? _server;
    private int _restarts;

    public async ValueTask DisposeAsync()
    {
        if (_server is not null)
            await _server.DisposeAsync();
    }

    // The resource sees every token once and in order, or refuses it.
    [Fact]
    public async Task No_token_is_accepted_twice_or_out_of_order()
    {
        int seed = TestSeed.ChooseAnew(output);
        _server = await StartServerAsync();
        FencedResource resource = new();
        LinkTrouble[] troubles =
        [
            .. Enumerable.Range(0, 16).Select(static _ => new LinkTrouble { ReplyTimeout = TimeSpan.FromMilliseconds(300) }),
        ];
        int[] taken = new int[16];
        using CancellationTokenSource over = new();
        int rounds = FaultScale.Count(200, 5000);
        // A busy machine has a shorter history to check, and not a longer wait.
        using CancellationTokenSource limit = FaultScale.IsFull ? new() : new(TimeSpan.FromSeconds(8));
        Task[] owners =
        [
            .. troubles.Select(
                (trouble, id) =>
                    Task.Run(async () =>
                    {
                        Random random = new(seed + id);
                        await using GarnetLocks locks = Create(trouble);
                        while (!over.IsCancellationRequested)
                        {
                            try
                            {
                                await using IGarnetLock held = await locks.AcquireAsync("a", over.Token);
                                if (random.Next(8) == 0)
                                    await Task.Delay(random.Next(150), CancellationToken.None);
                                if (resource.TryUse(held.FencingToken))
                                    Interlocked.Increment(ref taken[id]);
                            }
                            catch (Exception e)
                                when (e
                                        is RespConnectionException
                                            or TimeoutException
                                            or OperationCanceledException
                                            or GarnetCommandException
                                )
                            {
                                // What the troubles do; the owner tries again.
                            }
                        }
                    })
            ),
        ];
        Random fates = new(seed);
        for (int round = 0; taken.Sum() < rounds && !IsOver(); round++)
        {
            LinkTrouble trouble = troubles[fates.Next(troubles.Length)];
            await TroubleAsync(trouble, fates.Next(6), isRare: round % 10 == 0);
            await Task.Delay(fates.Next(5));
        }

        await over.CancelAsync();
        foreach (LinkTrouble trouble in troubles)
            trouble.Cut();
        await Task.WhenAll(owners);
        output.WriteLine($"{taken.Sum()} uses, {resource.Refused} refused, {_restarts} restarts");
        Assert.Empty(resource.Repeated);

        // An owner that has ended has failed, which is reported above.
        bool IsOver() => limit.IsCancellationRequested || Array.Exists(owners, static owner => owner.IsCompleted);
    }

    private async Task TroubleAsync(LinkTrouble trouble, int fate, bool isRare)
    {
        switch (fate)
        {
            case 0:
                trouble.HoldReads();
                break;
            case 1:
                trouble.HoldWrites();
                break;
            case 2:
                trouble.Cut();
                break;
            case 3 when isRare:
                _server!.InProcess.Execute("FLUSHALL");
                break;
            case 4 when isRare:
                // With nothing saved: neither locks nor tokens are there any more.
                await _server!.DisposeAsync();
                _server = await StartServerAsync();
                _restarts++;
                break;
            default:
                trouble.Release();
                break;
        }
    }

    private async Task<GarnetServer> StartServerAsync()
    {
        GarnetServer server = new GarnetServerBuilder().Listen(_endPoint).Build();
        await server.StartAsync();
        return server;
    }

    private GarnetLocks Create(LinkTrouble trouble) =>
        new(
            channels => new RespLink(
                new RespMultiplexerOptions
                {
                    EndPoint = _endPoint,
                    ReplyTimeout = trouble.ReplyTimeout,
                    RetryDelay = TimeSpan.FromMilliseconds(1),
                    StreamFilter = trouble.WrapAsync,
                },
                channels
            ),
            "",
            Lease,
            TimeProvider.System
        );

    // What a lock protects, and checks the tokens itself.
    private sealed class FencedResource
    {
        private readonly Lock _gate = new();
        private readonly HashSet<long> _seen = [];
        private long _largest;

        public List<long> Repeated { get; } = [];

        public int Refused { get; private set; }

        public bool TryUse(long token)
        {
            lock (_gate)
            {
                if (!_seen.Add(token))
                    Repeated.Add(token);
                if (token < _largest)
                {
                    Refused++;
                    return false;
                }

                _largest = token;
                return true;
            }
        }
    }
}

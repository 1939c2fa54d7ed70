// Orleans' storage of grains: the scripts that compare versions before they write. The silo is replaced by its start alone.
using Microsoft.Extensions.DependencyInjection;
using Orleans;
using Orleans.Configuration;
using Orleans.Hosting;
using Orleans.Runtime;
using Orleans.Serialization;
using Orleans.Storage;
using StackExchange.Redis;
using Xunit;

namespace Garnet.DotNetClients.Tests;

public sealed class OrleansStorageTests
{
    private static readonly GrainId Grain = GrainId.Create("account", "ann");

    [Fact]
    public async Task State_is_written_only_over_the_version_that_was_read()
    {
        await using RedisConnection redis = await RedisConnection.OpenAsync();
        await using ServiceProvider services = await StartAsync(redis);
        IGrainStorage storage = services.GetRequiredKeyedService<IGrainStorage>("grains");
        var state = new GrainState<Account>(new Account { Balance = 1 });
        await storage.ReadStateAsync("state", Grain, state);
        Assert.False(state.RecordExists);
        state.State = new Account { Balance = 10 };
        await storage.WriteStateAsync("state", Grain, state);
        string? firstVersion = state.ETag;

        var other = new GrainState<Account>(new Account());
        await storage.ReadStateAsync("state", Grain, other);
        Assert.Equal((10, firstVersion, true), (other.State!.Balance, other.ETag, other.RecordExists));
        other.State = new Account { Balance = 20 };
        await storage.WriteStateAsync("state", Grain, other);
        Assert.NotEqual(firstVersion, other.ETag);

        await Assert.ThrowsAsync<InconsistentStateException>(() => storage.WriteStateAsync("state", Grain, state));
        await Assert.ThrowsAsync<InconsistentStateException>(() => storage.ClearStateAsync("state", Grain, state));
        await storage.ReadStateAsync("state", Grain, state);
        Assert.Equal(20, state.State!.Balance);
        await storage.ClearStateAsync("state", Grain, state);
        await storage.ReadStateAsync("state", Grain, other);
        Assert.False(other.RecordExists);
        await storage.WriteStateAsync("state", Grain, other);
        Assert.True(other.RecordExists);
    }

    private static async Task<ServiceProvider> StartAsync(RedisConnection redis)
    {
        var services = new ServiceCollection();
        services.AddLogging();
        services.AddSerializer();
        services.AddSingleton<IGrainStorageSerializer, JsonSerializer>();
        services.Configure<ClusterOptions>(static options => (options.ServiceId, options.ClusterId) = ("service", "cluster"));
        services.AddRedisGrainStorage(
            "grains",
            options => options.ConfigurationOptions = ConfigurationOptions.Parse(redis.Multiplexer.Configuration)
        );
        ServiceProvider provider = services.BuildServiceProvider();
        var start = new SiloStart();
        ((ILifecycleParticipant<ISiloLifecycle>)provider.GetRequiredKeyedService<IGrainStorage>("grains")).Participate(start);
        await start.RunAsync();
        return provider;
    }

    /// <summary>What a grain keeps.</summary>
    public sealed class Account
    {
        public int Balance { get; set; }
    }

    private sealed class JsonSerializer : IGrainStorageSerializer
    {
        public BinaryData Serialize<T>(T? input) => BinaryData.FromObjectAsJson(input);

        public T Deserialize<T>(BinaryData input) => input.ToObjectFromJson<T>()!;
    }

    // Collects what is to be started, and starts it.
    private sealed class SiloStart : ISiloLifecycle
    {
        private readonly List<ILifecycleObserver> _observers = [];

        public int HighestCompletedStage => int.MinValue;

        public int LowestStoppedStage => int.MaxValue;

        public IDisposable Subscribe(string observerName, int stage, ILifecycleObserver observer)
        {
            _observers.Add(observer);
            return new MemoryStream();
        }

        public async Task RunAsync()
        {
            Assert.NotEmpty(_observers);
            foreach (ILifecycleObserver observer in _observers)
                await observer.OnStart(CancellationToken.None);
        }
    }
}

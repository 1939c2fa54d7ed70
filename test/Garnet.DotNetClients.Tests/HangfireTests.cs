// Hangfire's jobs in the server: queued, delayed and recurring ones, run by a worker in the process. The test has a server of its own.
using System.Collections.Concurrent;
using Garnet.Testing;
using Hangfire;
using Hangfire.Redis.StackExchange;
using Hangfire.States;
using Hangfire.Storage;
using StackExchange.Redis;
using Xunit;

namespace Garnet.DotNetClients.Tests;

public sealed class HangfireTests
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);
    private static readonly BlockingCollection<string> Done = [];

    [Fact]
    public async Task Jobs_are_run()
    {
        using var server = TestServer.Start();
        await using ConnectionMultiplexer redis = await ConnectionMultiplexer.ConnectAsync(RedisConnection.OptionsFor(server));
        var storage = new RedisStorage(redis, new RedisStorageOptions { FetchTimeout = TimeSpan.FromSeconds(1) });
        var client = new BackgroundJobClient(storage);
        for (int i = 0; i < 20; i++)
        {
            string name = $"job {i}";
            client.Enqueue(() => Jobs.Run(name));
        }

        client.Schedule(() => Jobs.Run("delayed"), TimeSpan.FromMilliseconds(1));
        string failing = client.Enqueue(() => Jobs.Fail());
        var recurring = new RecurringJobManager(storage);
        recurring.AddOrUpdate("nightly", () => Jobs.Run("recurring"), Cron.Never());
        using (
            new BackgroundJobServer(
                new BackgroundJobServerOptions { WorkerCount = 2, SchedulePollingInterval = TimeSpan.FromMilliseconds(100) },
                storage
            )
        )
        {
            recurring.Trigger("nightly");
            var names = new HashSet<string>();
            while (names.Count < 22)
            {
                Assert.True(Done.TryTake(out string? name, Patience), $"only {names.Count} jobs have run");
                names.Add(name);
            }

            Assert.Contains("delayed", names);
            Assert.Contains("recurring", names);
            IMonitoringApi monitoring = storage.GetMonitoringApi();
            for (int i = 0; monitoring.SucceededListCount() < 22 || monitoring.JobDetails(failing).History.All(NotFailed); i++)
            {
                Assert.True(i < 3000, "the states of the jobs never changed");
                await Task.Delay(20);
            }
        }

        static bool NotFailed(Hangfire.Storage.Monitoring.StateHistoryDto state) => state.StateName != FailedState.StateName;
    }

    /// <summary>The jobs, which Hangfire finds by reflection.</summary>
    public static class Jobs
    {
        public static void Run(string name) => Done.Add(name);

        [AutomaticRetry(Attempts = 0)]
        public static void Fail() => throw new InvalidOperationException("as it should");
    }
}

// The module in a server in the test's process, with a clock that the test advances.
using Garnet;
using Microsoft.Extensions.Time.Testing;
using Xunit;

namespace Garnet.Module_1.Tests;

public sealed class ModuleTests : IAsyncLifetime
{
    private readonly FakeTimeProvider _clock = new(DateTimeOffset.UtcNow);
    private readonly GarnetServer _server;

    public ModuleTests() =>
        _server = new GarnetServerBuilder { TimeProvider = _clock, Options = { Bind = [] } }
            .AddModule<Garnet_Module_1Module>()
            .Build();

    public Task InitializeAsync() => _server.StartAsync();

    public async Task DisposeAsync() => await _server.DisposeAsync();

    [Fact]
    public void A_counter_stays_below_its_limit()
    {
        Assert.Equal(2, _server.InProcess.Execute("GARNET_MODULE_1.ADD", "k", "2", "LIMIT", "3").AsInt64());
        Assert.True(_server.InProcess.Execute("GARNET_MODULE_1.ADD", "k", "2", "LIMIT", "3").IsNull);
        Assert.Equal(3, _server.InProcess.Execute("GARNET_MODULE_1.ADD", "k", "1", "LIMIT", "3").AsInt64());
    }

    [Fact]
    public void A_counter_expires()
    {
        _server.InProcess.Execute("GARNET_MODULE_1.ADD", "k", "2");
        _server.InProcess.Execute("PEXPIRE", "k", "1000");
        _clock.Advance(TimeSpan.FromSeconds(1.1));
        Assert.Equal(1, _server.InProcess.Execute("GARNET_MODULE_1.ADD", "k", "1").AsInt64());
    }
}

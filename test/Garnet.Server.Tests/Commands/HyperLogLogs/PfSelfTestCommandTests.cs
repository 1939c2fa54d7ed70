// PFSELFTEST: passes.
using Xunit;
using static Garnet.Server.Tests.Commands.Replies;

namespace Garnet.Server.Tests.Commands.HyperLogLogs;

public sealed class PfSelfTestCommandTests : IDisposable
{
    private readonly InProcessServer _server = new(recordEffects: true);

    public void Dispose() => _server.Dispose();

    [Fact]
    public void PFSELFTEST_passes() => Assert.Equal(Ok, _server.Call("PFSELFTEST"));
}

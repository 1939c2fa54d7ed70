// PFSELFTEST: passes.
using Xunit;
using static Garnet.Server.Tests.Commands.Replies;

namespace Garnet.Server.Tests.Commands.HyperLogLogs;

public sealed class PfSelfTestCommandTests : IDisposable
{
    private readonly InProcessServer server = new(recordEffects: true);

    public void Dispose() => server.Dispose();

    [Fact]
    public void PFSELFTEST_passes() => Assert.Equal(Ok, server.Call("PFSELFTEST"));
}

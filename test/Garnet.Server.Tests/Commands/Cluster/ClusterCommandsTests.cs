// Replies to cluster-aware clients. One thread.
using Xunit;

namespace Garnet.Server.Tests.Commands.Cluster;

public sealed class ClusterCommandsTests
{
    [Fact]
    public void Asking_is_refused_in_Valkeys_words()
    {
        using InProcessServer server = new();
        Assert.Equal("-ERR This instance has cluster support disabled\r\n", server.Call("ASKING"));
    }
}

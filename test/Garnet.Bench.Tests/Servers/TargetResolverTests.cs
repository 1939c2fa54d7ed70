// Which server is meant. Stateless.
using Garnet.Bench.Options;
using Garnet.Bench.Servers;
using Xunit;

namespace Garnet.Bench.Tests.Servers;

public sealed class TargetResolverTests
{
    [Theory]
    [InlineData("127.0.0.1:1", true)]
    [InlineData("redis://127.0.0.1:1", false)]
    [InlineData("rediss://127.0.0.1:1", true)]
    public async Task A_URI_says_whether_the_second_server_has_TLS(string against, bool hasTls)
    {
        var options = new TargetOptions { UsesTls = true, Against = against };
        Assert.All(await TargetResolver.ResolveAgainstAsync(options), target => Assert.Equal(hasTls, target.Tls is not null));
    }
}

// The effects of set commands.
using Xunit;

namespace Garnet.Server.Tests.Commands.Sets;

public sealed class SetEffectTests : IDisposable
{
    private readonly InProcessServer _server = new(recordEffects: true);

    public void Dispose() => _server.Dispose();

    [Theory]
    [InlineData("SADD s c", "SADD s c")]
    [InlineData("SADD s a", "")]
    [InlineData("SREM s a x", "SREM s a x")]
    [InlineData("SREM s x", "")]
    [InlineData("SMOVE s t a", "SMOVE s t a")]
    [InlineData("SMOVE s t x", "")]
    [InlineData("SMOVE s s a", "")]
    [InlineData("SUNIONSTORE d s t", "SUNIONSTORE d s t")]
    [InlineData("SINTERSTORE t s t", "SINTERSTORE t s t")]
    [InlineData("SDIFFSTORE d absent", "")]
    [InlineData("SRANDMEMBER s 5", "")]
    public void Effects_are_the_commands_that_changed_something(string command, string effect)
    {
        _server.Call("SADD", "s", "a", "b");
        _server.Call("SADD", "t", "z");
        _server.Effects.Take();
        _server.Call(command.Split(' '));
        Assert.Equal(effect.Length == 0 ? [] : [effect], _server.Effects.Take());
    }
}

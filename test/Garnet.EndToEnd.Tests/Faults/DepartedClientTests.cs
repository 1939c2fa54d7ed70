// Blocked clients that close their connection just before an element is pushed, over real sockets. A process for each test.
using System.Text;
using Garnet.Testing;
using Xunit;

namespace Garnet.EndToEnd.Tests.Faults;

[Collection(FaultsCollection.Name)]
public sealed class DepartedClientTests
{
    private const int Rounds = 40;

    [Theory]
    [InlineData("epoll")]
    [InlineData("sockets")]
    public void A_client_that_has_closed_its_connection_takes_no_element(string transport)
    {
        using var target = new FaultTarget(transport);
        using RespExchange other = target.Connect();
        Lose(target, other, ["BLPOP", "q", "0"], ["RPUSH", "q", "x"], ["LLEN", "q"]);
        Lose(target, other, ["BRPOPLPUSH", "q", "r", "0"], ["RPUSH", "q", "x"], ["LLEN", "q"]);
        Lose(target, other, ["BZPOPMIN", "q", "0"], ["ZADD", "q", "1", "x"], ["ZCARD", "q"]);
        target.AssertEndsWell();
    }

    private static void Lose(FaultTarget target, RespExchange other, string[] block, string[] push, string[] count)
    {
        for (int i = 0; i < Rounds; i++)
        {
            other.ExecuteText("DEL", "q", "r");
            using (RespExchange leaving = target.Connect())
            {
                leaving.Send(RespExchange.Encode([.. block.Select(Encoding.ASCII.GetBytes)]));
                WaitForBlocked(other, 1);
                // Closing alone takes effect when no process that another test starts meanwhile has a copy of the descriptor.
                leaving.FinishSending();
            }

            // At once: the server cannot have read the end yet.
            other.ExecuteText(push);
            Assert.Equal(":1\r\n", other.ExecuteText(count));
            WaitForBlocked(other, 0);
        }
    }

    private static void WaitForBlocked(RespExchange other, int clients)
    {
        string expected = $"blocked_clients:{clients}\r\n";
        Assert.True(
            SpinWait.SpinUntil(
                () => other.ExecuteText("INFO", "clients").Contains(expected, StringComparison.Ordinal),
                TimeSpan.FromSeconds(30)
            )
        );
    }
}

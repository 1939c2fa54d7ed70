// A command added to a server by one line: called by clients and in the process.
using System.Net;
using Garnet.Client;
using Xunit;

namespace Garnet.EndToEnd.Tests.Hosting;

public sealed class AddedCommandTests
{
    [Fact]
    public async Task A_command_is_added_by_one_file_and_one_line()
    {
        await using GarnetServer server = new GarnetServerBuilder()
            .AddCommand(MyEchoCommand.Descriptor)
            .Listen(new IPEndPoint(IPAddress.Loopback, 0))
            .Build();
        await server.StartAsync();
        await using RespClient client = await RespClient.ConnectAsync(server.EndPoints[0]);
        Assert.Equal("hello", (await client.CallAsync("MyEcho", "hello")).AsString());
        Assert.Equal("hello", server.InProcess.Execute("MYECHO", "hello").AsString());
    }

    [Fact]
    public void A_command_of_the_server_is_not_replaced()
    {
        GarnetServerBuilder builder = new GarnetServerBuilder().AddCommand(MyEchoCommand.Descriptor).AddCommand(MyEchoCommand.Descriptor);
        Assert.Throws<InvalidOperationException>(builder.Build);
    }
}

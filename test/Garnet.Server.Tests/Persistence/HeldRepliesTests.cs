// Replies that wait for the disk as a group: which replies wait for which, and how often the log and the connections' thread are woken.
// Each test has its own server, and acts as that thread.
using Xunit;

namespace Garnet.Server.Tests.Persistence;

public sealed class HeldRepliesTests
{
    private const int Clients = 20;
    private const string Ok = "+OK\r\n";

    [Fact]
    public void Replies_held_back_in_one_round_wait_and_are_released_together()
    {
        using LoggedServer logged = new();
        InProcessOwner owner = new(3);
        InProcessClient[] clients = Connect(logged, owner);
        logged.Folder.SyncsRun.Reset();
        Write(clients);
        Assert.Equal(1, owner.Posted);
        owner.RunRound();
        logged.Folder.SyncsRun.Set();
        LoggedServer.Await(() => owner.Posted == 2);
        Assert.All(clients, static client => Assert.Equal("", client.Receive()));
        owner.RunRound();
        Assert.All(clients, static client => Assert.Equal(Ok, client.Receive()));
        Assert.Equal(2, owner.Posted);
    }

    [Fact]
    public void A_group_stays_open_for_recently_held_clients_but_not_forever()
    {
        using LoggedServer logged = new();
        InProcessOwner owner = new(3);
        InProcessClient[] clients = Connect(logged, owner);
        // If a sync were faster than sending the replies, as in an in-memory folder, a group would start with only half of them.
        logged.Folder.SyncMilliseconds = 5;
        logged.Folder.SyncsRun.Reset();
        Write(clients);
        logged.Folder.SyncsRun.Set();
        RunUntilAnswered(owner, clients);

        // A log with nothing to do syncs by itself, which would release replies that came before.
        logged.Folder.SyncsRun.Reset();
        Write(clients[1..]);
        int posted = owner.Posted;
        owner.RunRound();
        owner.RunRound();
        // Each look at the open group posted the next.
        Assert.Equal(posted + 2, owner.Posted);
        Write(clients[..1]);
        owner.RunRound();
        Assert.Equal(posted + 2, owner.Posted);
        logged.Folder.SyncsRun.Set();
        LoggedServer.Await(() => owner.Posted == posted + 3);
        owner.RunRound();
        Assert.All(clients, static client => Assert.Equal(Ok, client.Receive()));

        Write(clients[..5]);
        RunUntilAnswered(owner, clients[..5]);
    }

    [Fact]
    public void Replies_held_back_during_a_sync_wait_for_the_next()
    {
        using LoggedServer logged = new();
        InProcessOwner owner = new(3);
        InProcessClient[] clients = Connect(logged, owner);
        logged.Folder.SyncsRun.Reset();
        Write(clients[..5]);
        owner.RunRound();
        Write(clients[5..]);
        owner.RunRound();
        Assert.All(clients, static client => Assert.Equal("", client.Receive()));
        logged.Folder.SyncsRun.Set();
        RunUntilAnswered(owner, clients);
    }

    [Fact]
    public void Replies_of_one_owner_do_not_wait_for_another()
    {
        using LoggedServer logged = new();
        InProcessOwner busy = new(3);
        InProcessOwner other = new(4);
        using InProcessClient first = logged.Server.Connect(connection: new InProcessConnection { Owner = busy });
        using InProcessClient second = logged.Server.Connect(connection: new InProcessConnection { Owner = other });
        Write([first, second]);
        RunUntilAnswered(other, [second]);
        Assert.Equal("", first.Receive());
        RunUntilAnswered(busy, [first]);
    }

    private static InProcessClient[] Connect(LoggedServer logged, InProcessOwner owner) =>
        [.. Enumerable.Range(0, Clients).Select(_ => logged.Server.Connect(connection: new InProcessConnection { Owner = owner }))];

    private static void Write(InProcessClient[] clients)
    {
        foreach (InProcessClient client in clients)
            client.Send(InProcessClient.Request("SET", "a", "1"));
    }

    private static void RunUntilAnswered(InProcessOwner owner, InProcessClient[] clients)
    {
        int answered = 0;
        LoggedServer.Await(() =>
        {
            owner.RunRound();
            answered += clients.Count(static client => client.Receive().Length > 0);
            return answered == clients.Length;
        });
    }
}

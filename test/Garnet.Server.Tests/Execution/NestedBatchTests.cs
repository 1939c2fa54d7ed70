// A batch within another one, as when a blocked client is served on the thread of whoever changed its key. One thread.
using Garnet.Engine.Execution;
using Garnet.Server.Tracking;
using Xunit;

namespace Garnet.Server.Tests.Execution;

public sealed class NestedBatchTests
{
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Invalidations_go_on_being_gathered_for_the_outer_client(bool isOff)
    {
        using InProcessServer server = new();
        InProcessClient tracking = server.Connect(3);
        ClientSession outer = server.Client.Session;
        ClientSession inner = server.Connect().Session;
        tracking.Call("CLIENT", "TRACKING", "ON");
        ThreadScratch thread = server.Server.Threads.Current;
        using (Batch batch = server.Server.Executor.Enter(outer, thread, default))
        {
            // By another thread, in the middle of the batch.
            if (isOff)
                server.Server.Tracking.Remove(tracking.Session);
            using (Batch within = server.Server.Executor.Enter(inner, thread, default))
            {
                within.Begin(1);
                Assert.Equal(inner, Invalidations.OfThread.Of(thread).Caller);
                within.Complete();
            }

            Assert.Equal(outer, Invalidations.OfThread.Of(thread).Caller);
            batch.Complete();
        }

        Assert.Null(Invalidations.OfThread.Of(thread).Caller);
    }
}

// The queue of the saver: who comes when, who is cancelled for whom, and what is told to those who never begin.
using Garnet.Persistence.Snapshots;
using Xunit;

namespace Garnet.Persistence.Tests.Snapshots;

public sealed class SaverQueueTests : IDisposable
{
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(2);

    private readonly SaverScene _scene = new();
    private readonly ManualResetEventSlim _held = new();
    private readonly ManualResetEventSlim _release = new();
    private readonly List<string> _ended = [];

    public SaverQueueTests() =>
        _scene.Saver.Completed += outcome => _ended.Add($"{Path.GetFileName(outcome.Request.Path)} {outcome.Result}");

    public void Dispose()
    {
        _release.Set();
        _scene.Dispose();
        _held.Dispose();
        _release.Dispose();
    }

    [Fact]
    public async Task Saves_that_wait_come_one_after_the_other_with_the_data_of_their_turn()
    {
        Task<SaveOutcome> first = Hold();
        Task<SaveOutcome> second = Save("second");
        Task<SaveOutcome> third = Save("third");
        _scene.Fill("later");
        _release.Set();
        Assert.Equal(SaveResult.Success, (await Within(third)).Result);
        Assert.Equal(["first Success", "second Success", "third Success"], _ended);
        Assert.True(first.IsCompletedSuccessfully && second.IsCompletedSuccessfully);
        Assert.Equal(_scene.Model, SaverScene.Load(_scene.Disk.Read("/data/second")!));
        Assert.NotEqual(_scene.Model, SaverScene.Load(_scene.Disk.Read("/data/first")!));
    }

    [Fact]
    public async Task One_instead_of_others_comes_first_and_ends_the_current_one()
    {
        _ = Hold();
        Task<SaveOutcome> next = Save("next");
        Task<SaveOutcome> instead = Save("instead", SaveTurn.Instead);
        _release.Set();
        Assert.Equal(SaveResult.Success, (await Within(instead)).Result);
        Assert.Equal(SaveResult.Success, (await Within(next)).Result);
        Assert.Equal(["first Cancelled", "instead Success", "next Success"], _ended);
    }

    [Fact]
    public async Task Of_two_instead_of_others_the_later_one_ends_the_earlier()
    {
        _ = Hold();
        _ = Save("earlier", SaveTurn.Instead);
        Task<SaveOutcome> later = Save("later", SaveTurn.Instead);
        _release.Set();
        Assert.Equal(SaveResult.Success, (await Within(later)).Result);
        Assert.Equal(["first Cancelled", "earlier Cancelled", "later Success"], _ended);
    }

    [Fact]
    public async Task One_that_comes_during_the_flip_of_another_ends_that()
    {
        using ManualResetEventSlim flips = new();
        using ManualResetEventSlim queued = new();
        Task<SaveOutcome> flipping = _scene.Saver.SaveAsync(
            new SaveRequest
            {
                Path = "/data/flipping",
                AtFlip = () =>
                {
                    flips.Set();
                    queued.Wait(Patience);
                    return null;
                },
            },
            SaveTurn.Next,
            CancellationToken.None
        );
        Assert.True(flips.Wait(Patience));
        Task<SaveOutcome> instead = Save("instead", SaveTurn.Instead);
        queued.Set();
        Assert.Equal(SaveResult.Cancelled, (await Within(flipping)).Result);
        Assert.Equal(SaveResult.Success, (await Within(instead)).Result);
    }

    [Fact]
    public async Task One_that_is_not_wanted_any_more_leaves_the_queue_at_once()
    {
        Task<SaveOutcome> first = Hold();
        using CancellationTokenSource unwanted = new();
        Lease lease = new();
        Task<SaveOutcome> waiting = Save("waiting", lease: lease, cancellation: unwanted.Token);
        await unwanted.CancelAsync();
        Assert.Equal(SaveResult.Cancelled, (await Within(waiting)).Result);
        Assert.Equal(1, lease.Disposals);
        _release.Set();
        Assert.Equal(SaveResult.Success, (await Within(first)).Result);
        Assert.Equal(["first Success"], _ended);
    }

    [Fact]
    public async Task One_that_is_not_wanted_any_more_ends_while_it_is_written()
    {
        using CancellationTokenSource unwanted = new();
        Task<SaveOutcome> first = Hold(unwanted.Token);
        await unwanted.CancelAsync();
        _release.Set();
        Assert.Equal(SaveResult.Cancelled, (await Within(first)).Result);
    }

    [Fact]
    public async Task After_the_stop_nothing_begins_and_everyone_is_told()
    {
        Task<SaveOutcome> first = Hold();
        Lease lease = new();
        Task<SaveOutcome> waiting = Save("waiting", lease: lease);
        _scene.Saver.Stop();
        Assert.Equal(SaveResult.Cancelled, (await Within(waiting)).Result);
        Assert.Equal(SaveResult.Cancelled, (await Within(Save("late", SaveTurn.Instead, lease))).Result);
        Assert.Equal(2, lease.Disposals);
        Assert.False(first.IsCompleted);
        _release.Set();
        Assert.Equal(SaveResult.Cancelled, (await Within(first)).Result);
        Assert.False(_scene.TryStart(new SaveRequest { Path = SaverScene.File }, out _));
        Assert.Equal(["first Cancelled"], _ended);
    }

    [Fact]
    public async Task One_that_begins_at_once_or_not_at_all_is_refused_while_another_is_there()
    {
        _ = Hold();
        Assert.False(_scene.TryStart(new SaveRequest { Path = SaverScene.File }, out _));
        Task<SaveOutcome> waiting = Save("waiting");
        Assert.False(_scene.TryStart(new SaveRequest { Path = SaverScene.File }, out _));
        _release.Set();
        await Within(waiting);
        Assert.Equal(SaveResult.Success, _scene.Save().Result);
    }

    [Fact]
    public async Task Only_behind_saves_of_its_own_tag_another_waits_as_such()
    {
        _ = Hold();
        Assert.False(_scene.Saver.TrySaveAfterOwn(new SaveRequest { Path = "/data/other", Tag = "other" }, out _));
        Assert.True(_scene.Saver.TrySaveAfterOwn(new SaveRequest { Path = "/data/own", Tag = "held" }, out Task<SaveOutcome> own));
        _ = Save("waiting");
        Assert.False(_scene.Saver.TrySaveAfterOwn(new SaveRequest { Path = "/data/again", Tag = "held" }, out _));
        _release.Set();
        Assert.Equal(SaveResult.Success, (await Within(own)).Result);
    }

    [Fact]
    public async Task A_flip_that_throws_tells_its_requester_and_the_next_one_begins()
    {
        _ = Hold();
        Lease lease = new();
        Task<SaveOutcome> broken = _scene.Saver.SaveAsync(
            new SaveRequest
            {
                Path = "/data/broken",
                Lease = lease,
                AtFlip = static () => throw new IOException("at the flip"),
            },
            SaveTurn.Next,
            CancellationToken.None
        );
        Task<SaveOutcome> next = Save("next");
        _release.Set();
        Assert.Equal("at the flip", (await Assert.ThrowsAsync<IOException>(() => Within(broken))).Message);
        Assert.Equal(1, lease.Disposals);
        Assert.Equal(SaveResult.Success, (await Within(next)).Result);
        Assert.Throws<IOException>(() =>
            _scene.TryStart(new SaveRequest { Path = SaverScene.File, AtFlip = static () => throw new IOException() }, out _)
        );
        Assert.Equal(SaveResult.Success, _scene.Save().Result);
    }

    // Starts a save, and returns once it waits to create its file.
    private Task<SaveOutcome> Hold(CancellationToken cancellation = default)
    {
        _scene.Disk.Fail = (_, step) =>
        {
            if (step == "create" && !_held.IsSet)
            {
                _held.Set();
                _release.Wait(Patience);
            }

            return null;
        };
        Task<SaveOutcome> done = _scene.Saver.SaveAsync(
            new SaveRequest { Path = "/data/first", Tag = "held" },
            SaveTurn.Next,
            cancellation
        );
        Assert.True(_held.Wait(Patience));
        return done;
    }

    private Task<SaveOutcome> Save(
        string name,
        SaveTurn turn = SaveTurn.Next,
        Lease? lease = null,
        CancellationToken cancellation = default
    ) => _scene.Saver.SaveAsync(new SaveRequest { Path = "/data/" + name, Lease = lease }, turn, cancellation);

    private static Task<SaveOutcome> Within(Task<SaveOutcome> save) => save.WaitAsync(Patience);

    private sealed class Lease : IDisposable
    {
        public int Disposals { get; private set; }

        public void Dispose() => Disposals++;
    }
}
